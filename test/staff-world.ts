// A server with an owner, a moderator and two members, for tests of the staff's pages: who is signed in, and what they
// do there.

import assert from "node:assert/strict";
import { openBrowser } from "./browser.ts";
import type { Browser } from "./browser.ts";
import { startTestApp } from "./harness.ts";
import type { Answer, Person, TestApp } from "./harness.ts";

export type StaffWorld = {
  t: TestApp;
  /** Signed in as owner, as moderator, and as alice, who is neither. */
  owner: Browser;
  mod: Browser;
  plain: Browser;
  alice: Person;
  bob: Person;
};

export const openStaffWorld = async (): Promise<StaffWorld> => {
  const t = await startTestApp();
  await t.person("boss", { role: "Owner" });
  await t.person("mia", { role: "Moderator" });
  const [alice, bob] = [await t.person("alice"), await t.person("bob")];
  const [owner, mod, plain] = [openBrowser(t), openBrowser(t), openBrowser(t)];
  await owner.signIn("boss");
  await mod.signIn("mia");
  await plain.signIn("alice");
  return { t, owner, mod, plain, alice, bob };
};

/** Answers what is asked before an act. */
export const confirm = (who: Browser, question: Answer, action: string): Promise<Answer> => {
  const [, word] = /Type (\S+) to continue/.exec(question.text) ?? [];
  return who.submit(question, action, word === undefined ? {} : { confirmed_word: word });
};

/** Submits a form of a page, answers what is asked first, and gives the page that follows. */
export const submit = async (
  who: Browser,
  page: string,
  action: string,
  values: Record<string, string> = {},
): Promise<Answer> => {
  const first = await who.submit(await who.get(page), action, values);
  const answer = first.status === 200 ? await confirm(who, first, action) : first;
  assert.equal(answer.status, 302, answer.text);
  return who.get(answer.headers.get("location")!);
};

export const post = async (person: Person, text: string): Promise<string> =>
  (await person.post("/api/v1/statuses", { status: text })).json.id;

export const report = async (
  by: Person,
  about: Person,
  statusIds: string[] = [],
): Promise<string> =>
  (
    await by.post("/api/v1/reports", {
      account_id: about.accountId,
      comment: "<rude>",
      status_ids: statusIds,
    })
  ).json.id;

export const lastAudit = async ({ app }: TestApp): Promise<string | undefined> =>
  (await app.sql`SELECT action FROM audit_log ORDER BY id DESC`)[0]?.["action"];
