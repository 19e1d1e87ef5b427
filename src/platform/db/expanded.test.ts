// A process goes on while that of the next version, which has already migrated, adds to its tables.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});
after(() => server?.close());

const ask = async (who: Person, method: string, path: string, json?: unknown): Promise<any> => {
  const answer = await server.request(method, path, { token: who.token, json });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
};

/** What people do most, with all that follows. */
const useIt = async (): Promise<void> => {
  const { id } = await ask(alice, "POST", "/api/v1/statuses", { status: "Hello @bob #rooks" });
  const reply = { status: "@alice hi", in_reply_to_id: id };
  await ask(bob, "POST", `/api/v1/accounts/${alice.accountId}/follow`);
  await ask(bob, "POST", "/api/v1/statuses", reply);
  for (const act of ["favourite", "bookmark", "reblog", "unfavourite", "unbookmark"])
    await ask(bob, "POST", `/api/v1/statuses/${id}/${act}`);
  await ask(alice, "PUT", `/api/v1/statuses/${id}`, { status: "Hello again @bob #rooks" });
  await ask(alice, "PATCH", "/api/v1/accounts/update_credentials", { display_name: `A ${id}` });
  await server.runJobs();
  server.app.caches.clear();
  for (const path of [
    "timelines/home",
    "timelines/public",
    "timelines/tag/rooks",
    "notifications",
    "conversations",
    `statuses/${id}/context`,
    `statuses/${id}/history`,
    `accounts/${alice.accountId}/statuses`,
    `accounts/relationships?id[]=${alice.accountId}`,
    "accounts/verify_credentials",
    "lists",
    "markers",
  ])
    await ask(bob, "GET", `/api/v1/${path}`);
  await ask(alice, "DELETE", `/api/v1/statuses/${id}`);
  await ask(bob, "POST", `/api/v1/accounts/${alice.accountId}/unfollow`);
  await server.runJobs();
};

test("columns that are added while it runs disturb nobody", async () => {
  await useIt();
  const { sql } = server.app;
  const tables = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  assert.ok(tables.length > 50);
  for (const { name } of tables)
    await sql.unsafe(`ALTER TABLE ${name} ADD COLUMN of_the_next_version integer DEFAULT 1`);
  await useIt();
});
