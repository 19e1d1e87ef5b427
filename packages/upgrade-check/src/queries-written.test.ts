// Whether anything was written to a database since a moment.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connect } from "../../../src/platform/db/index.ts";
import type { Sql } from "../../../src/platform/db/index.ts";
import { cloneDatabase } from "../../../test/database.ts";
import { markNow, writtenSince } from "./queries-written.ts";

let database: { url: string; drop(): Promise<void> };
let sql: Sql;

before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 1, application: "tests" });
});
after(async () => {
  await sql?.end();
  await database?.drop();
});

test("tables with rows that came or changed after a mark are named, and no other", async () => {
  await sql`INSERT INTO settings (name, value) VALUES ('before', '1')`;
  const mark = await markNow(sql);
  assert.deepEqual(await writtenSince(sql, mark), []);
  await sql`INSERT INTO tags (name, display_name) VALUES ('later', 'later')`;
  assert.deepEqual(await writtenSince(sql, mark), ["tags"]);
  await sql`UPDATE settings SET value = '2' WHERE name = 'before'`;
  assert.deepEqual(await writtenSince(sql, mark), ["settings", "tags"]);
});
