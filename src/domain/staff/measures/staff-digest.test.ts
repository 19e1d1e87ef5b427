// The summary of the week for the staff: who gets it, in which language, what is in it, and never twice.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { storeFindings } from "./health.ts";
import { enqueueStaffDigests, mondayOf, sendStaffDigest } from "./staff-digest.ts";

/** A Monday. */
const MONDAY = new Date("2030-06-17T07:00:00Z");
const DAY = 86_400_000;
let time = MONDAY.getTime();

let t: TestApp;
let mod: Person;
let alice: Person;
let mails: Mail[] = [];
let failures = 0;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(time) } });
  t.app.mail = {
    async send(mail) {
      if (failures > 0) {
        failures -= 1;
        throw new Error("451 later");
      }
      mails.push(mail);
    },
    close: () => {},
  };
  await t.person("boss", { role: "Owner", locale: "de" });
  mod = await t.person("mia", { role: "Moderator", locale: "cy" });
  alice = await t.person("alice");
  await t.write`UPDATE users SET created_at = ${new Date(time - 10 * DAY)} WHERE id = ${alice.userId}`;
  await t.write`UPDATE users SET created_at = ${new Date(time - 3 * DAY)} WHERE id <> ${alice.userId}`;
});
beforeEach(() => {
  mails = [];
});
after(() => t.close());

const morning = async (): Promise<string[]> => {
  await t.app.jobs.add(t.app.sql, "staff_digests.due", {});
  await t.runJobs();
  return mails.map(({ to }) => to).toSorted();
};

const mailTo = (name: string): Mail => mails.find(({ to }) => to === `${name}@example.com`)!;

test("weeks begin on Mondays", () => {
  for (const day of ["2030-06-17", "2030-06-19", "2030-06-23"]) {
    assert.equal(mondayOf(new Date(`${day}T23:59:59Z`)).toISOString(), "2030-06-17T00:00:00.000Z");
  }
});

test("the staff gets it on Monday, in their language or in English, and nobody else", async () => {
  const json = { account_id: alice.accountId, comment: "rude" };
  await mod.post("/api/v1/reports", json);
  await t.runJobs();
  mails = [];
  await storeFindings(t.app, [
    { check_name: "certificate", state: "warning", text: "It ends soon.", advice: null },
  ]);
  assert.deepEqual(await morning(), ["boss@example.com", "mia@example.com"]);
  const german = mailTo("boss");
  assert.match(german.subject, /^Die Woche auf /);
  assert.match(german.text, /Was auf dich wartet:\nMeldungen: 1/);
  assert.match(
    german.text,
    /Vom 10\.06\.2030 bis 16\.06\.2030 und in der Woche davor:\nRegistrierungen: 2 \(davor 1\)/,
  );
  assert.match(german.text, /- Neueste Sicherung: Es gibt noch keine Sicherung\./);
  assert.match(german.text, /- certificate: It ends soon\./);
  assert.match(german.text, new RegExp(`${t.url}/admin\\b`));
  assert.match(german.text, /zum Team des Servers/);
  const english = mailTo("mia");
  assert.match(english.subject, /^Your week on /);
  assert.match(english.text, /From 10 Jun 2030 to 16 Jun 2030/);
  assert.match(english.list!.message!, new RegExp(`^staff_digest\\.${mod.userId}\\.2030-06-17`));
});

test("once a week, also when several processes look, and on the next day who was missed", async () => {
  assert.deepEqual(await morning(), []);
  time = MONDAY.getTime() + 7 * DAY;
  await Promise.all([
    enqueueStaffDigests(t.app),
    enqueueStaffDigests(t.app),
    enqueueStaffDigests(t.app),
  ]);
  await t.runJobs();
  assert.deepEqual(mails.map(({ to }) => to).toSorted(), ["boss@example.com", "mia@example.com"]);
  mails = [];
  time += DAY;
  assert.deepEqual(await morning(), []);
  await t.person("nora", { role: "Moderator" });
  assert.deepEqual(await morning(), ["nora@example.com"]);
});

test("what dies between claiming and sending is sent later, what was claimed without a job is not lost", async () => {
  time = MONDAY.getTime() + 14 * DAY;
  const { addMany } = t.app.jobs;
  t.app.jobs.addMany = async () => {
    throw new Error("killed");
  };
  await assert.rejects(enqueueStaffDigests(t.app), /killed/);
  t.app.jobs.addMany = addMany;
  assert.equal((await morning()).length, 3);
  mails = [];
  time += 7 * DAY;
  failures = 1;
  assert.equal((await morning()).length, 2);
  await t.write`
    SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM graphile_worker.jobs`;
  await t.runJobs();
  assert.equal(new Set(mails.map(({ to }) => to)).size, 3);
  assert.equal(mails.length, 3);
});

test("it is switched off in the settings of mails, which only the staff is offered", async () => {
  time = MONDAY.getTime() + 28 * DAY;
  const browser = openBrowser(t);
  await browser.signIn("mia");
  const page = await browser.get("/settings/mail");
  assert.match(page.text, /name="staff_digest"[^>]*checked/);
  await browser.submit(page, "/settings/mail", { mention: "1" });
  const plain = openBrowser(t);
  await plain.signIn("alice");
  assert.doesNotMatch((await plain.get("/settings/mail")).text, /staff_digest/);
  assert.deepEqual(await morning(), ["boss@example.com", "nora@example.com"]);
  const stop = new URL(mailTo("boss").list!.unsubscribe).pathname;
  mails = [];
  await t.visitor.post(stop, new URLSearchParams({})).ok();
  time += 7 * DAY;
  assert.deepEqual(await morning(), ["nora@example.com"]);
});

test("who is no longer of the staff when it is sent gets none", async () => {
  const { userId } = await t.person("omar", { role: "Moderator" });
  const job = { userId, monday: "2030-06-17" };
  await sendStaffDigest(t.app, job);
  assert.equal(mails.length, 1);
  await t.write`UPDATE users SET role_id = -99 WHERE id = ${userId}`;
  await sendStaffDigest(t.app, job);
  assert.equal(mails.length, 1);
});
