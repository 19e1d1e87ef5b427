// The list of accounts and the queue of sign-ups: their order, their filters, and what is done to several at once.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { removeAccount } from "../../domain/people/accounts/remove.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import { setSetting } from "../../domain/base/settings/settings.ts";

let t: TestApp;
let owner: Browser;
let mod: Browser;
const people: Record<string, Person> = {};

const NAMES = ["ada", "ben", "cleo", "dan"];
const ACCOUNTS = "/admin/accounts";
const BULK_PATH = `${ACCOUNTS}/several`;

before(async () => {
  t = await startTestApp();
  people["boss"] = await t.person("boss", { role: "Owner" });
  people["mia"] = await t.person("mia", { role: "Moderator" });
  for (const name of NAMES) people[name] = await t.person(name);
  [owner, mod] = [openBrowser(t), openBrowser(t)];
  await owner.signIn("boss");
  await mod.signIn("mia");
});
after(() => t.close());

const idOf = (name: string): string => people[name]!.accountId;

test("fields for words run as their language does, and addresses from the left", async () => {
  const directionOf = async (path: string, name: string): Promise<string | undefined> => {
    const fields = (await owner.get(path)).text.match(/<input\s[^>]*>/g) ?? [];
    const field = fields.find((each) => each.includes(` name="${name}"`) && !/hidden/.test(each));
    return / dir="(\w+)"/.exec(field ?? "")?.[1];
  };
  assert.equal(await directionOf(ACCOUNTS, "email"), "ltr");
  assert.equal(await directionOf(ACCOUNTS, "display_name"), "auto");
  assert.equal(await directionOf("/settings", "q"), "auto");
  assert.equal(await directionOf("/search", "q"), "auto");
});

test("in a report a time stands apart from the words of the post, whatever their language", async () => {
  await t.as(people["ben"]!).post("/api/v1/statuses", { status: "— مرحبا" });
  assert.match((await owner.get("/@ben/report")).text, /<bdi>— مرحبا<\/bdi> <span/);
});

/** Those of the list in its order, without the staff. */
const listed = ({ text }: Answer): string[] =>
  [...text.matchAll(/<a class="who" data-open href="\/admin\/accounts\/(\d+)"/g)].flatMap(
    ([, id]) => NAMES.filter((name) => idOf(name) === id),
  );

const report = (by: string, about: string) =>
  t.as(people[by]!).post("/api/v1/reports", { account_id: idOf(about), comment: "look" });

const actions = async (since: string): Promise<string[]> =>
  (
    await t.app.sql<{ action: string; target_label: string }[]>`
      SELECT action, target_label FROM audit_log WHERE id > ${since} ORDER BY id
    `
  ).map(({ action, target_label: label }) => `${action} ${label}`);

const lastEntry = async (): Promise<string> =>
  (await t.app.sql<{ id: string }[]>`SELECT coalesce(max(id), 0) AS id FROM audit_log`)[0]!.id;

const ticks = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`account_${idOf(name)}`, "1"]));

const standing = async (): Promise<Record<string, string>> => {
  const rows = await t.app.sql<{ username: string; state: string }[]>`
    SELECT username, CASE WHEN suspended_at IS NOT NULL THEN 'suspended'
      WHEN silenced_at IS NOT NULL THEN 'silenced' ELSE 'free' END AS state
    FROM accounts WHERE username::text = ANY(${NAMES})
  `;
  return Object.fromEntries(rows.map(({ username, state }) => [username, state]));
};

describe("the list", () => {
  test("has an order for each column, both ways, and keeps the filters", async () => {
    for (const [name, count] of [
      ["ben", 2],
      ["dan", 1],
    ] as const) {
      for (let n = 0; n < count; n += 1) {
        const json = { status: `${n}` };
        await t.as(people[name]!).post("/api/v1/statuses", json);
      }
    }
    await report("ada", "cleo");
    await report("ben", "cleo");
    await report("ada", "dan");
    await t.untilNoted();
    for (const [n, name] of ["cleo", "ada", "dan", "ben"].entries()) {
      const at = new Date(Date.UTC(2026, 0, 10 - n));
      await t.write`UPDATE users SET last_active_at = ${at} WHERE account_id = ${idOf(name)}`;
    }
    const orders: Record<string, string[]> = {
      "": ["dan", "cleo", "ben", "ada"],
      joined: ["dan", "cleo", "ben", "ada"],
      "-joined": ["ada", "ben", "cleo", "dan"],
      name: ["ada", "ben", "cleo", "dan"],
      "-name": ["dan", "cleo", "ben", "ada"],
      active: ["cleo", "ada", "dan", "ben"],
      "-active": ["ben", "dan", "ada", "cleo"],
    };
    for (const [order, expected] of Object.entries(orders)) {
      assert.deepEqual(listed(await mod.get(`${ACCOUNTS}?order=${order}`)), expected, order);
    }
    assert.deepEqual(listed(await mod.get(`${ACCOUNTS}?order=posts`)).slice(0, 2), ["ben", "dan"]);
    assert.deepEqual(listed(await mod.get(`${ACCOUNTS}?order=-posts`)).slice(2), ["dan", "ben"]);
    const reported = await mod.get(`${ACCOUNTS}?order=reports&status=active`);
    assert.deepEqual(listed(reported).slice(0, 2), ["cleo", "dan"]);
    assert.match(reported.text, /aria-sort="descending"[^]*?Reports/);
    assert.match(reported.text, /#reports">2<\/a>[^]*?2 open/);
    // A search goes on in the order, and an order within the search.
    assert.match(reported.text, /<option value="reports" selected/);
    assert.match(reported.text, /href="\/admin\/accounts\?[^"]*order=-reports[^"]*status=active/);
    // What is no order is the usual one.
    assert.equal((await mod.get(`${ACCOUNTS}?order=%27x&page=-4`)).status, 200);
  });

  test("has pages in every order", async () => {
    const many = await startTestApp();
    try {
      await many.person("boss", { role: "Owner" });
      await many.write`
        INSERT INTO accounts (username, uri, url)
        SELECT 'user' || n, 'https://x.example/' || n, 'https://x.example/' || n
        FROM generate_series(1, 85) AS n
      `;
      const browser = openBrowser(many);
      await browser.signIn("boss");
      for (const order of ["joined", "-joined", "posts", "name"]) {
        const seen: string[] = [];
        const sizes: number[] = [];
        let path: string | undefined = `${ACCOUNTS}?order=${order}`;
        while (path) {
          const { text }: Answer = await browser.get(path);
          const ids = [...text.matchAll(/class="who" data-open href="\/admin\/accounts\/(\d+)"/g)];
          sizes.push(ids.length);
          seen.push(...ids.map(([, id]) => id!));
          const [, next] = /<a href="([^"]*)">Next page</.exec(text) ?? [];
          path = next?.replaceAll("&amp;", "&");
        }
        assert.deepEqual(sizes, [40, 40, 6], order);
        assert.equal(new Set(seen).size, 86, order);
      }
    } finally {
      await many.close();
    }
  });

  test("an order takes the same statements for many as for few", async () => {
    const few = await t.countQueries(() => mod.get(`${ACCOUNTS}?order=reports&username=ada`));
    const all = await t.countQueries(() => mod.get(`${ACCOUNTS}?order=reports`));
    assert.ok(all.queries <= few.queries + 1, `${few.queries}, then ${all.queries}`);
  });
});

describe("several at once", () => {
  test("are asked about, limited one by one with an entry each, and who is above is named", async () => {
    const since = await lastEntry();
    const page = await mod.get(`${ACCOUNTS}?order=name`);
    const fields = {
      ...ticks("ada", "cleo"),
      [`account_${idOf("boss")}`]: "1",
      act: "silence",
      text: "Be calm",
    };
    const question = await mod.submit(page, BULK_PATH, fields);
    assert.equal(question.status, 200);
    assert.match(
      question.text,
      /Limit 2 accounts\?[^]*@ada \(0 posts\) and @cleo \(0 posts\)[^]*Skipped @boss: you don’t have permission/,
    );
    assert.deepEqual(Object.values(await standing()), ["free", "free", "free", "free"]);
    assert.deepEqual(await actions(since), []);
    const done = await mod.submit(question, BULK_PATH, { confirmed_word: "2" });
    // What was refused is said on the list, which is the one that it was sent from.
    assert.equal(done.status, 422);
    assert.match(done.text, /2 accounts limited\. Skipped @boss: you don’t have permission/);
    assert.match(done.text, /<option value="name" selected/);
    assert.deepEqual(await standing(), {
      ada: "silenced",
      ben: "free",
      cleo: "silenced",
      dan: "free",
    });
    assert.deepEqual(await actions(since), ["account.silence ada", "account.silence cleo"]);
    const [strike] = await t.app.sql`
      SELECT text FROM strikes WHERE target_account_id = ${idOf("ada")}
    `;
    assert.equal(strike!["text"], "Be calm");
    const [open] = await t.app.sql`
      SELECT count(*)::int AS count FROM reports
      WHERE target_account_id = ${idOf("cleo")} AND action_taken_at IS NULL
    `;
    assert.equal(open!["count"], 0);
  });

  test("what holds already is not done again, and all of a page can be chosen", async () => {
    const again = await mod.submit(await mod.get(ACCOUNTS), BULK_PATH, {
      ...ticks("ada"),
      act: "silence",
    });
    assert.equal(again.status, 422);
    assert.match(again.text, /Skipped @ada: already limited/);
    const isTicked = (text: string, name: string) =>
      new RegExp(`<input(?=[^>]* name="account_${idOf(name)}")[^>]* checked`).test(text);
    assert.deepEqual([isTicked(again.text, "ada"), isTicked(again.text, "ben")], [true, false]);
    const page = await owner.get(`${ACCOUNTS}?username=d`);
    const first = { ...ticks("dan"), act: "suspend", text: "Kept" };
    const asked = await owner.submit(page, BULK_PATH, first);
    const [, id] = /asked=([^"]*)"/.exec(asked.text)!;
    const left = await owner.get(`${ACCOUNTS}?username=d&asked=${id}`);
    assert.ok(isTicked(left.text, "dan"));
    assert.match(left.text, /name="text"[^>]*(?:value="Kept"|>Kept<)/);
    const question = await owner.submit(left, BULK_PATH, { all: "1", act: "suspend" });
    assert.match(question.text, /Suspend this account\?[^]*@dan[^]*deleted after 30 days/);
    const done = await owner.submit(question, BULK_PATH, {});
    assert.equal(done.status, 302);
    assert.equal(done.headers.get("location"), `${ACCOUNTS}?username=d&done=suspend`);
    assert.equal((await standing())["dan"], "suspended");
    assert.match((await owner.get(done.headers.get("location")!)).text, /Accounts suspended/);
    // A name of which nothing is left stays taken, and is no account that could come back.
    await t.person("leaver");
    await removeAccount(
      t.app,
      (await t.app.sql`SELECT id FROM accounts WHERE username = 'leaver'`)[0]!["id"],
    );
    await t.runJobs();
    const gone = (await owner.get(`${ACCOUNTS}?username=leaver`)).text;
    assert.match(gone, /@leaver[^]*>Deleted</);
    assert.doesNotMatch(gone, /<span[^>]*>Suspended</);
  });

  test("nothing chosen, no act, too many and others’ forms are refused", async () => {
    const page = await mod.get(ACCOUNTS);
    const send = (values: Record<string, string>) => mod.submit(page, BULK_PATH, values);
    assert.match((await send({ act: "suspend" })).text, /Select at least one account/);
    assert.match((await send(ticks("ben"))).text, /Choose what to do/);
    assert.match((await send({ ...ticks("ben"), act: "delete" })).text, /Choose what to do/);
    const crowd = Object.fromEntries(
      Array.from({ length: 101 }, (_, n) => [`account_${n + 1}`, "1"]),
    );
    const many = await send({ ...crowd, act: "suspend" });
    assert.deepEqual([many.status, /Select up to 100/.test(many.text)], [422, true]);
    const plain = openBrowser(t);
    await plain.signIn("ben");
    assert.equal((await plain.post(BULK_PATH, { ...ticks("ada"), act: "suspend" })).status, 403);
    assert.equal((await mod.post(BULK_PATH, { ...ticks("ben"), act: "suspend" })).status, 403);
    assert.equal((await standing())["ben"], "free");
  });
});

describe("sign-ups", () => {
  test("are approved and rejected together; the word before a loss of several is their number", async () => {
    await setSetting(t.app, "registrations", "approved");
    const names = ["one", "two", "three", "four"];
    for (const name of names) {
      people[name] = await t.person(name, { approved: false, reason: `I am ${name}` });
    }
    const since = await lastEntry();
    const path = "/admin/sign_ups/several";
    const page = await mod.get("/admin/sign_ups");
    assert.match(page.text, /I am one/);
    const yes = await mod.submit(page, path, { ...ticks("one", "two"), act: "approve" });
    assert.match(yes.text, /Approve 2 sign-ups\?/);
    const approved = await mod.submit(yes, path, {});
    assert.equal(approved.headers.get("location"), "/admin/sign_ups?done=approve");
    const left = await mod.get("/admin/sign_ups");
    assert.doesNotMatch(left.text, /I am (?:one|two)/);
    const no = await mod.submit(left, path, { all: "1", act: "reject" });
    assert.match(no.text, /Reject 2 sign-ups\?[^]*Type 2 to continue/);
    assert.equal((await mod.submit(no, path, { confirmed_word: "3" })).status, 422);
    const rejected = await mod.submit(no, path, { confirmed_word: "2" });
    assert.equal(rejected.status, 302);
    assert.match((await mod.get("/admin/sign_ups")).text, /No sign-ups are waiting for approval/);
    assert.deepEqual((await actions(since)).toSorted(), [
      "account.approve one",
      "account.approve two",
      "account.reject four",
      "account.reject three",
    ]);
    // Who was decided meanwhile is named, and keeps nobody else from it.
    people["five"] = await t.person("five", { approved: false, reason: "Late" });
    const late = await mod.submit(await mod.get("/admin/sign_ups"), path, {
      ...ticks("one", "five"),
      act: "approve",
    });
    assert.match(late.text, /Approve this sign-up\?[^]*Skipped @one: not waiting for approval/);
    const partly = await mod.submit(late, path, {});
    assert.match(partly.text, /1 sign-up approved\. Skipped @one/);
  });

  test("a key asks also before what takes nothing away", async () => {
    const waiting = await t.person("six", { approved: false, reason: "Birds" });
    const path = `/admin/sign_ups/${waiting.accountId}/approve`;
    const page = await mod.get("/admin/sign_ups");
    const question = await mod.submit(page, path, { ask: "1" });
    assert.match(question.text, /Approve sign-up\?[^]*autofocus/);
    assert.match((await mod.get("/admin/sign_ups")).text, /Birds/);
    assert.equal((await mod.submit(question, path, {})).status, 302);
    assert.match((await mod.get("/admin/sign_ups")).text, /No sign-ups are waiting for approval/);
  });
});
