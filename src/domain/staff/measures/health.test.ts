// How the server is, as the staff sees it: each thing well and wrong, and what the doctor stored.

import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { enterCommandLine } from "../../../../test/command-line.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { doctorCommand } from "../../../../packages/doctor/src/command.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { textsIn } from "../../../platform/text/texts.ts";
import { readHealth, storeFindings } from "./health.ts";
import { troublesOf } from "./troubles.ts";

let t: TestApp;

before(async () => {
  t = await startTestApp({ worker: false });
});
after(() => t.close());

const now = () => t.app.clock.now();

const backup = (started: Date, fault: string | null, place = "/backups") => t.app.sql`
  INSERT INTO backups (started_at, finished_at, place, bytes, files, fault)
  VALUES (${started}, ${started}, ${place}, 1, 1, ${fault})`;

test("a new server has no backup, no drill and no doctor", async () => {
  const health = await readHealth(t.app);
  assert.equal(health.pendingMigrations, 0);
  assert.ok(health.disk.freeBytes > 0);
  assert.deepEqual(health.backup, { at: null, failed: null, isOld: false, whole: null });
  assert.equal(health.drill, null);
  assert.equal(health.examinedAt, null);
  assert.equal(health.mail.server, null);
  assert.equal(health.queues.isLate, false);
});

test("a migration that is missing is pending", async () => {
  const [row] = await t.app.sql`SELECT name FROM migrations ORDER BY name DESC LIMIT 1`;
  await t.app.sql
    .begin(async (tx) => {
      await tx`DELETE FROM migrations WHERE name = ${row!["name"]}`;
      const app = { ...t.app, sql: tx as unknown as typeof t.app.sql };
      assert.equal((await readHealth(app)).pendingMigrations, 1);
      throw new Error("back");
    })
    .catch((error: Error) => assert.equal(error.message, "back"));
});

test("backups: old ones, failed ones, and whether the newest was read whole since", async () => {
  await backup(addDays(now(), -20), null);
  assert.equal((await readHealth(t.app)).backup.isOld, true);
  const finding = {
    check_name: "backup",
    state: "ok",
    text: "It is whole.",
    advice: null,
  } as const;
  await storeFindings(t.app, [finding]);
  assert.equal((await readHealth(t.app)).backup.whole?.text, "It is whole.");
  await backup(addDays(now(), 1), null);
  const { isOld, whole, failed } = (await readHealth(t.app)).backup;
  assert.deepEqual({ isOld, whole, failed }, { isOld: false, whole: null, failed: null });
  const troubles = async () => troublesOf(textsIn("en"), await readHealth(t.app)).join("\n");
  t.app.config.backup.to = "/backups";
  await backup(addDays(now(), 2), "the folder cannot be created (/proc/nope)", "/proc/nope");
  const mistyped = (await readHealth(t.app)).backup;
  assert.equal(mistyped.failed?.counts, false);
  assert.ok(mistyped.at, "the good one stands");
  assert.doesNotMatch(await troubles(), /proc/);
  await backup(addDays(now(), 2), "the disk is full", "/backups/");
  assert.equal((await readHealth(t.app)).backup.failed?.counts, true);
  assert.match(await troubles(), /The last backup failed: the disk is full/);
});

test("drills, and jobs that wait or are given up", async () => {
  await t.app.sql`
    INSERT INTO restore_drills (started_at, finished_at, backup, questions, failures)
    VALUES (now(), ${addDays(now(), -100)}, 'b', 100, 0)`;
  assert.equal((await readHealth(t.app)).drill?.isOld, true);
  await t.app.jobs.add(t.app.sql, "user.confirmation", { userId: "1" } as never);
  await t.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 hour', attempts = 1`;
  const { queues, mail } = await readHealth(t.app);
  assert.equal(queues.isLate, true);
  assert.equal(mail.failed, 1);
  await t.app.sql`UPDATE graphile_worker._private_jobs SET attempts = max_attempts`;
  const given = await readHealth(t.app);
  assert.deepEqual([given.queues.failed_jobs, given.mail.failed], [1, 0]);
});

test("what the doctor found takes the place of what it found before", async () => {
  const row = { text: "x", advice: "y" };
  await storeFindings(t.app, [
    { ...row, check_name: "disk", state: "fault" },
    { ...row, check_name: "mail", state: "ok" },
    { ...row, check_name: "clock", state: "warning" },
  ]);
  const { findings, examinedAt } = await readHealth(t.app);
  assert.deepEqual(
    findings.map(({ check_name: name }) => name),
    ["disk", "clock"],
  );
  assert.ok(examinedAt);
  await storeFindings(t.app, []);
  assert.equal((await readHealth(t.app)).examinedAt, null);
});

test("rookery doctor stores what it finds, with the result of each check", async () => {
  const leave = enterCommandLine(t);
  const { exitCode } = process;
  const print = mock.method(console, "log", () => {});
  try {
    await doctorCommand({ json: true, minutes: 1 });
    process.env["LC_ALL"] = "de_DE.UTF-8";
    await doctorCommand({ minutes: 1 });
  } finally {
    print.mock.restore();
    process.exitCode = exitCode;
    leave();
  }
  const [forPrograms, ...lines] = print.mock.calls.map(({ arguments: [text] }) => String(text));
  const mail = JSON.parse(forPrograms!).find(({ check }: { check: string }) => check === "mail");
  assert.equal(mail.code, "doctor.mail.none");
  assert.match(mail.text, /^Emails aren’t being sent/);
  assert.match(
    lines.join("\n"),
    /^! E-Mail: E-Mails werden nicht verschickt, .*\n {4}Setze SMTP_/m,
  );
  const troubles = troublesOf(textsIn("de"), await readHealth(t.app)).join("\n");
  assert.match(troubles, /E-Mail: E-Mails werden nicht verschickt/);
  const rows = await t.app.sql`SELECT DISTINCT check_name FROM findings`;
  const names = rows.map(({ check_name: name }) => name);
  for (const name of ["database", "disk", "backup", "drill", "mail", "names"]) {
    assert.ok(names.includes(name), name);
  }
  assert.ok((await readHealth(t.app)).examinedAt);
});
