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

/** What people do most, with all that follows. */
const useIt = async (): Promise<void> => {
  const { id } = await alice.post("/api/v1/statuses", { status: "Hello @bob #rooks" }).ok();
  const reply = { status: "@alice hi", in_reply_to_id: id };
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  await bob.post("/api/v1/statuses", reply).ok();
  for (const act of ["favourite", "bookmark", "reblog", "unfavourite", "unbookmark"])
    await bob.post(`/api/v1/statuses/${id}/${act}`).ok();
  await alice.put(`/api/v1/statuses/${id}`, { status: "Hello again @bob #rooks" }).ok();
  await alice.patch("/api/v1/accounts/update_credentials", { display_name: `A ${id}` }).ok();
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
    await bob.get(`/api/v1/${path}`).ok();
  await alice.delete(`/api/v1/statuses/${id}`).ok();
  await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`).ok();
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
