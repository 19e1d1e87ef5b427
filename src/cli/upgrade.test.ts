// What an upgrade would do is said before it does anything, and a downgrade is refused.

import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { pendingMigrations } from "../platform/db/migrate.ts";
import { planUpgrade } from "../../packages/upgrade-check/src/plan.ts";
import { run } from "./run.ts";

let server: TestApp;
before(async () => {
  server = await startTestApp();
});
after(() => server.close());

const rookery = async (...words: string[]): Promise<{ text: string; code: number }> => {
  const before = process.env;
  const lines: string[] = [];
  const log = mock.method(console, "log", (text: string) => lines.push(text));
  const error = mock.method(console, "error", (text: string) => lines.push(text));
  process.env = {
    PATH: before["PATH"],
    LOCAL_DOMAIN: new URL(server.url).host,
    LOCAL_HTTPS: "false",
    DATA_DIR: server.app.config.dataDir,
    DATABASE_URL: server.databaseUrl,
  };
  try {
    await run(["node", "rookery", ...words]);
    return { text: lines.join("\n"), code: Number(process.exitCode ?? 0) };
  } finally {
    process.exitCode = 0;
    process.env = before;
    log.mock.restore();
    error.mock.restore();
  }
};

test("nothing is due, nothing is done without --check", async () => {
  const { text } = await rookery("upgrade", "--check");
  assert.equal(text, "The database is up to date: a start changes nothing.");
  const without = await rookery("upgrade");
  assert.match(
    without.text,
    /^rookery: The start of a new version upgrades the database by itself/,
  );
  assert.equal(without.code, 1);
});

test("says which migrations are due, what they do to large tables, and whether both versions can run", async () => {
  const { sql } = server.app;
  // Their tables are there, as those of the version before would be.
  await server.person("alice");
  const due = ["0360-waiting-uploads.sql", "0371-server-runs.sql"];
  await sql`DELETE FROM migrations WHERE name = ANY(${due})`;
  const plan = await planUpgrade(sql);
  assert.deepEqual(
    plan.migrations.map(({ name }) => name),
    due,
  );
  assert.equal(plan.beside, "any");
  const [uploads] = plan.migrations;
  const [index] = uploads!.tables;
  const { table, work, blocking, bytes } = index!;
  assert.deepEqual([table, work, blocking], ["media_attachments", "read", false]);
  assert.ok(bytes > 0 && uploads!.disk_bytes > 0 && uploads!.disk_bytes < bytes);
  await sql`DELETE FROM migrations WHERE name = '0366-tag-walks.sql'`;
  assert.equal((await planUpgrade(sql)).beside, "the version before");

  const { text, code } = await rookery("upgrade", "--check");
  assert.match(
    text,
    /^A start of this version runs 3 migrations:\n {2}0360-waiting-uploads\.sql: /,
  );
  assert.match(text, /\n {4}reads media_attachments \((?:0\.\d MB|\d+ kB)\)\n/);
  assert.match(
    text,
    /\nAll in all (?:at once|up to \d+ seconds), with (?:\d+\.\d MB|\d+ kB) more on the disk\.\n/,
  );
  assert.match(text, /only processes of the version right before this one can run/);
  assert.equal(code, 0);
  const json = JSON.parse((await rookery("upgrade", "--check", "--json")).text);
  assert.equal(json.migrations.length, 3);
  assert.equal((await pendingMigrations(sql)).length, 3, "it only looks");
});

test("what is not there is said before where the backup goes is asked", async () => {
  const { text, code } = await rookery("upgrade", "/nonexist");
  assert.equal(text.trim(), "rookery: There is no /nonexist.");
  assert.equal(code, 1);
});

test("a downgrade is refused in a sentence", async () => {
  await server.app.sql`INSERT INTO migrations (name) VALUES ('9999-of-the-future.sql')`;
  const { text, code } = await rookery("upgrade", "--check");
  assert.match(
    text,
    /^rookery: The database was migrated by a newer version of Rookery \(9999-of-the-future\.sql\): [^\n]*\.$/,
  );
  assert.equal(code, 1);
});
