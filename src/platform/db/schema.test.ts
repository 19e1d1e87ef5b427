// The schema with which a new database begins: made from migrations, it is what they make; a database that is too old for it
// is told which version to start first.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { inNewDatabase, readMigrations, schemaText, squash } from "../../../test/squash.ts";
import { ConfigError } from "../errors.ts";
import { connect } from "./index.ts";
import type { Sql } from "./index.ts";
import { checkMigrations, isSchema, migrate, pendingMigrations, squashedIn } from "./migrate.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: Sql;
before(async () => {
  database = await cloneDatabase();
  sql = connect(database.url, { max: 1, application: "tests" });
});
after(async () => {
  await sql.end();
  await database.drop();
});

const migrations = readMigrations();
const squashed = squashedIn(migrations[0]!.text)!;

test("what is made of all migrations makes what they make, row for row", async () => {
  const { made, text } = await inNewDatabase(database.url, migrations, async (old) => ({
    made: await schemaText(old),
    text: await squash(migrations, old),
  }));
  assert.ok(made.length > 100_000);
  const again = [{ name: "9999-schema.sql", text }];
  assert.equal(await inNewDatabase(database.url, again, schemaText), made);
  const names = migrations.map(({ name }) => name).filter((name) => !isSchema(name));
  assert.deepEqual(squashedIn(text)!.names, [...squashed.names, ...names]);
});

test("a new database has the names of all that the schema stands for", async () => {
  const rows = await sql<{ name: string }[]>`SELECT name FROM migrations ORDER BY name`;
  const steps = migrations.slice(1).map(({ name }) => name);
  assert.deepEqual(
    rows.map(({ name }) => name),
    [...squashed.names, ...steps],
  );
  assert.deepEqual(await pendingMigrations(sql), []);
  await checkMigrations(rows.map(({ name }) => name));
});

test("a database, or a backup, that lacks some of them is refused with the version to start first", async () => {
  const lacking = squashed.names.at(-1)!;
  const isTooOld = (error: Error) =>
    error instanceof ConfigError &&
    error.message.includes(`start version ${squashed.version} once, then this one.`);
  await assert.rejects(checkMigrations(squashed.names.slice(0, -1)), isTooOld);
  await sql`DELETE FROM migrations WHERE name = ${lacking}`;
  await assert.rejects(migrate(sql, database.url), isTooOld);
  await assert.rejects(pendingMigrations(sql), isTooOld);
  await sql`INSERT INTO migrations (name) VALUES (${lacking})`;
  assert.deepEqual(await migrate(sql, database.url), []);
});
