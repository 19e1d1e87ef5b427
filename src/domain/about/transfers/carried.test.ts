// Nothing that a person has is forgotten by archives: each of their tables is in a file, with all of its columns, or is
// left out for a reason, and each file is either imported or says why not (test/carried.ts).

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CARRIED, FILES, LEFT_OUT } from "../../../../test/carried.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { folderSink } from "../../../../packages/export-server/src/sinks.ts";
import { writeContents } from "./archive/contents.ts";
import { recognise } from "./posts/recognise.ts";

const root = mkdtempSync(join(tmpdir(), "rookery-carried-"));
let t: TestApp;

before(async () => {
  t = await startTestApp();
});
after(async () => {
  await t?.close();
  rmSync(root, { recursive: true, force: true });
});

const carried = CARRIED.map(({ table }) => table);
const leftOut = Object.values(LEFT_OUT).flat();

/** With a person's rows, or rows of such a table: by foreign keys, and by the names of columns. */
const personalTables = async (): Promise<string[]> => {
  const rows = await t.app.sql<{ name: string }[]>`
    SELECT DISTINCT conrelid::regclass::text AS name FROM pg_constraint
    WHERE contype = 'f' AND confrelid::regclass::text = ANY(${["accounts", "users", ...carried]}::text[])
    UNION SELECT table_name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name IN ('account_id', 'user_id', 'owner_id')
    UNION SELECT 'accounts'`;
  return rows.map(({ name }) => name).toSorted();
};

test("each table of a person's is in an archive, or left out for a reason", async () => {
  assert.deepEqual([...carried, ...leftOut].toSorted(), await personalTables());
});

test("of a table that is in an archive each column is, or is left out for a reason", async () => {
  const rows = await t.app.sql<{ name: string; columns: string[] }[]>`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
    FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = ANY(${carried}::text[]) GROUP BY 1`;
  const actual = new Map(rows.map(({ name, columns }) => [name, columns.toSorted()]));
  for (const { table, columns, without = {} } of CARRIED)
    assert.deepEqual(
      [...columns, ...Object.values(without).flat()].toSorted(),
      actual.get(table),
      `columns of ${table} in test/carried.ts`,
    );
});

test("the files are those of an archive; what is in no file is nowhere", async () => {
  const { accountId } = await t.person("alice");
  await writeContents(t.app, folderSink(root), accountId);
  assert.deepEqual(Object.keys(FILES).toSorted(), readdirSync(root).toSorted());
  const named = CARRIED.flatMap(({ files }) => files);
  assert.deepEqual([...new Set(named)].toSorted(), Object.keys(FILES).toSorted());
});

test("an import knows each file, empty as it may be", async () => {
  const PASSED_OVER = new Set(["left_out", "unknown"]);
  for (const [name, taken] of Object.entries(FILES)) {
    const { what } = await recognise({ name, path: join(root, name) });
    if (taken === "taken" || taken === "with settings")
      assert.ok(!PASSED_OVER.has(what), `${name}: ${what}`);
    else assert.ok(taken.includes(" "), `${name} has no reason`);
  }
});
