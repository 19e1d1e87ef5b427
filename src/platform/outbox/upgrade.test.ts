// Waiting jobs of the previous version, whose work is done by events now, survive an update.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";

let t: TestApp;

before(async () => {
  t = await startTestApp({ worker: false });
});
after(() => t.close());

test("waiting jobs are moved into the outbox", async () => {
  const { sql } = t.app;
  const jobs: [string, object][] = [
    ["status.created", { id: "1" }],
    ["status.favourited", { accountId: "1", statusId: "2", uri: null }],
    ["status.fan_out", { id: "3" }],
    ["status.notify", { id: "3" }],
    [
      "inbox.applied",
      {
        created: ["4"],
        favourited: [{ accountId: "5", statusId: "6", uri: null }],
        unfavourited: [],
        removed: [{ id: "7" }],
      },
    ],
    ["account.followed", { accountId: "1", targetId: "2" }],
  ];
  for (const [name, payload] of jobs) {
    await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::text::json)`;
  }
  const text = await readFile(
    new URL("../../../migrations/0022-waiting-jobs.sql", import.meta.url),
    "utf8",
  );
  await sql.begin((tx) => tx.unsafe(text));
  const events = await sql<{ type: string; payload: unknown }[]>`
    SELECT type, payload FROM outbox ORDER BY type, payload::text
  `;
  assert.deepEqual(
    events.map(({ type, payload }) => [type, payload]),
    [
      ["status.created", { id: "1" }],
      ["status.created", { id: "3" }],
      ["status.created", { id: "4" }],
      ["status.favourited", { accountId: "1", statusId: "2", uri: null }],
      ["status.favourited", { accountId: "5", statusId: "6", uri: null }],
      ["status.removed", { id: "7" }],
    ],
  );
  const left = await sql`SELECT task_identifier FROM graphile_worker.jobs`;
  assert.deepEqual(
    left.map((row) => row["task_identifier"]),
    ["account.followed"],
  );
});
