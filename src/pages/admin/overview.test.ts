// The first page of the staff: what waits, how the server is, charts with tables, and for whom.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { enterCommandLine, runCommand } from "../../../test/command-line.ts";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { storeFindings } from "../../domain/staff/measures/health.ts";
import { claim, runClaimed, runningNow } from "../../platform/runs/run.ts";
import { countText, stepOf } from "../../../web/src/served/axis.ts";
import { bytesText } from "../../platform/text/figures.ts";

let t: TestApp;
let owner: Browser;

before(async () => {
  t = await startTestApp({ worker: false, env: { BACKUP_TO: join(tmpdir(), "rookery-backups") } });
  await t.person("boss", { role: "Owner" });
  const { token } = await t.person("alice");
  owner = openBrowser(t);
  await owner.signIn("boss");
  await t.as(token).post("/api/v1/statuses", { status: "hello" });
  await t.app.sql`INSERT INTO remote_hosts (host, failing_since) VALUES ('far.example', now())`;
  await storeFindings(t.app, [
    { check_name: "certificate", state: "warning", text: "It ends <soon>.", advice: "Renew it." },
  ]);
});
after(() => t.close());

const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

describe("the first page", () => {
  test("has what waits, the state of the server, and what the doctor found", async () => {
    const page = flat((await owner.get("/admin")).text);
    assert.match(page, /<strong>0<\/strong><span>Reports to review/);
    assert.match(page, /state=failing" ?><strong>1<\/strong><span>Servers not responding/);
    assert.match(
      page,
      /Latest backup<\/dt> ?<dd> ?<span class="badge mild">Check this<\/span> No backups yet/,
    );
    assert.match(page, /certificate(?:<\/span>)? <span class="badge mild">/);
    assert.match(page, /It ends &lt;soon>\./);
  });

  test("says what was found in the language of whoever reads it", async () => {
    const values = { domain: "x.example", count: 3, reason: "the disk is full (/x)" };
    const row = { check_name: "certificate", state: "warning", text: "It ends.", advice: "Renew." };
    const said = {
      text: "doctor.certificate.good",
      advice: "doctor.advice.renew",
      values,
    } as const;
    await storeFindings(t.app, [
      { ...row, state: "warning", said },
      { ...row, state: "warning", said: { ...said, text: "doctor.failed" } },
      { ...row, state: "warning", said: { ...said, text: "doctor.gone" as never } },
    ]);
    await t.person("berta", { role: "Owner", locale: "de" });
    const berta = openBrowser(t);
    await berta.signIn("berta");
    const page = flat((await berta.get("/admin")).text);
    assert.match(page, /Zertifikat(?:<\/span>)? <span class="badge mild">/);
    assert.match(page, /Das Zertifikat von x\.example gilt noch 3 Tage\./);
    assert.match(page, /Finde heraus, warum es nicht erneuert wird/);
    assert.match(page, /Die Prüfung ist fehlgeschlagen: die Platte ist voll \(\/x\)\./);
    assert.match(page, /lang="en"[^>]*>It ends\./, "what this version does not know is in English");
  });

  test("starts a backup and the doctor by a button: one at a time, and recorded", async () => {
    for (const [name, label, runs, said] of [
      ["backup", "Back up now", /A backup is being created/, "@boss started a backup"],
      ["doctor", "Check now", /The health check is running/, "@boss started a health check"],
    ] as const) {
      const before = await owner.get("/admin");
      assert.ok(flat(before.text).includes(label), label);
      assert.doesNotMatch(before.text, runs);
      assert.equal((await owner.submit(before, `/admin/run/${name}`, {})).status, 302);
      const { text } = await owner.get("/admin");
      assert.match(text, runs);
      assert.ok(!flat(text).includes(label), label);
      const again = await owner.submit(before, `/admin/run/${name}`, {});
      assert.equal(again.status, 422);
      assert.match(again.text, /This is already running/);
      // It is the job of the clock, which knows that its run is claimed.
      const jobs = t.enqueued.filter(({ name: job }) => job === `${name}.due`);
      assert.deepEqual(
        jobs.map(({ payload }) => payload),
        [{ claimed: true }],
      );
      assert.ok(flat((await owner.get("/admin/audit")).text).includes(said.slice(5)), said);
      // The clock begins none beside it.
      assert.equal(await claim(t.app, name), false);
      // Whoever started it is gone: another one may run.
      await t.app.sql`UPDATE server_runs SET seen_at = seen_at - interval '4 minutes'`;
      assert.equal(await claim(t.app, name), true);
      await t.app.sql`DELETE FROM server_runs`;
    }
  });

  test("says that a command runs for as long as its process does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rookery-run-"));
    const program = join(folder, "ends.mjs");
    const go = join(folder, "go");
    writeFileSync(
      program,
      `import { existsSync } from "node:fs";
      setInterval(() => existsSync(${JSON.stringify(go)}) && process.exit(3), 20);`,
    );
    const ended = runClaimed(t.app, { name: "doctor", args: [], program });
    while (!(await runningNow(t.app)).has("doctor")) await sleep(20);
    writeFileSync(go, "");
    assert.deepEqual(await ended, { code: 3, signal: null });
    assert.deepEqual([...(await runningNow(t.app))], []);
    rmSync(folder, { recursive: true });
  });

  test("has a chart for each series, with a title, a description, axes and a table", async () => {
    const { text } = await owner.get("/admin");
    const charts = text.match(/<svg\s+class="chart"[\s\S]*?<\/svg>/g)!;
    assert.equal(charts.length, 7);
    for (const chart of charts) {
      const [, title, description] = /aria-labelledby="(\S+) (\S+)"/.exec(chart)!;
      assert.match(chart, new RegExp(`<title id="${title}">[^<]+</title>`));
      assert.match(chart, new RegExp(`<desc id="${description}">[^<]+</desc>`));
      assert.equal(chart.match(/<line /g)!.length, 5);
      assert.equal(chart.match(/<rect/g)!.length, 30);
    }
    assert.equal(text.match(/<details class="as-table">/g)!.length, 7);
    const posts = text.slice(text.indexOf('id="chart-posts-title"'));
    const table = flat(/<tbody>[\s\S]*?<\/tbody>/.exec(posts)![0]);
    assert.equal(table.match(/<tr>/g)!.length, 30);
    assert.match(table, /<td class="number">1<\/td><\/tr><\/tbody>/);
  });

  test("in the period that is chosen; a year by weeks", async () => {
    const quarter = (await owner.get("/admin?days=90")).text;
    assert.equal(
      /<svg\s+class="chart"[\s\S]*?<\/svg>/.exec(quarter)![0].match(/<rect/g)!.length,
      90,
    );
    const year = await owner.get("/admin?days=365");
    assert.equal(
      /<svg\s+class="chart"[\s\S]*?<\/svg>/.exec(year.text)![0].match(/<rect/g)!.length,
      52,
    );
    assert.match(flat(year.text), /days=365" aria-current="page"/);
    assert.equal((await owner.get("/admin?days=constructor")).status, 200);
  });

  test("who may not read figures sees what waits for them, and neither charts nor health", async () => {
    await t.person("rita", { role: "Moderator" });
    await t.write`
      UPDATE roles SET permissions = permissions & ~8
      WHERE id = (SELECT role_id FROM users u JOIN accounts a ON a.id = u.account_id WHERE a.username = 'rita')`;
    const rita = openBrowser(t);
    await rita.signIn("rita");
    const page = await rita.get("/admin");
    assert.match(page.text, /to review/);
    assert.doesNotMatch(page.text, /class="chart"|Latest backup|not responding/);
  });

  test("a fixed number of queries", async () => {
    // The test above changed a role, which is read again once.
    await owner.get("/admin");
    const first = await t.countQueries(() => owner.get("/admin"));
    await t.app.sql`
      INSERT INTO servers SELECT 'q' || n || '.example', 'q', '{}', n, 1, 1, 1, now()
      FROM generate_series(1, 500) AS n`;
    await t.app.sql`DELETE FROM findings`;
    const many = await t.countQueries(() => owner.get("/admin"));
    assert.equal(many.queries, first.queries);
  });
});

test("a backup to a mistyped place says why it failed, beside the good one that still counts", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-backup-"));
  const leave = enterCommandLine(t);
  const env = { ...process.env };
  leave();
  assert.equal((await runCommand(env, ["backup", join(folder, "one.backup")])).code, 0);
  const { code, output } = await runCommand(env, ["backup", "/proc/nope/one.backup"]);
  assert.equal(code, 1);
  assert.match(output, /cannot be used: the folder can’t be created \(\/proc\/nope\)\.$/);
  rmSync(folder, { recursive: true });
  const page = flat((await owner.get("/admin")).text);
  const [line = ""] = /Latest backup<\/dt>.*?<\/dd>/.exec(page) ?? [];
  assert.match(line, /badge mild.*<time.*not fully verified yet/, line);
  assert.match(
    line,
    /A later backup to \/proc\/nope\/one\.backup failed, so this one still counts:/,
  );
  assert.match(line, /the folder can’t be created \(\/proc\/nope\)/);
  assert.doesNotMatch(line, /ENOENT|mkdir/);
});

describe("charts", () => {
  test("the steps of the axis are round, and all columns fit", () => {
    assert.deepEqual(
      [0, 1, 4, 5, 9, 10, 37, 99, 100, 101, 12345].map(stepOf),
      [1, 1, 1, 2, 2.5, 2.5, 10, 25, 25, 50, 5000],
    );
    for (let most = 1; most < 3000; most += 7) assert.ok(stepOf(most) * 4 >= most, String(most));
  });

  test("what is not known is no zero in the table", () => {
    assert.equal(countText("de", null, "noch nicht gezählt"), "noch nicht gezählt");
    assert.equal(countText("de", 1200, ""), "1.200");
  });

  test("sizes have the unit that fits", () => {
    assert.deepEqual(
      [0, 999, 1000, 1_500_000, 2_340_000_000, 5e15].map((bytes) => bytesText("en", bytes)),
      ["0 byte", "999 byte", "1 kB", "1.5 MB", "2.3 GB", "5,000 TB"],
    );
  });
});
