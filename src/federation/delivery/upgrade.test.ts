// Deliveries that waited as jobs of the previous version survive an update.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { drainDeliveries } from "./worker.ts";

let t: TestApp;
let peer: FakePeer;

before(async () => {
  t = await startTestApp({ worker: false });
  peer = await startPeer();
});
after(async () => {
  await peer.close();
  await t.close();
});

const migrate = async (): Promise<void> => {
  const file = new URL("../../../migrations/0030-waiting-deliveries.sql", import.meta.url);
  const text = await readFile(file, "utf8");
  await t.app.sql.begin((tx) => tx.unsafe(text));
};

test("waiting jobs are moved into the queue, and are due whatever their hosts did", async () => {
  const { sql } = t.app;
  const alice = await t.person("alice");
  const ids: string[] = [];
  for (const n of [1, 2]) {
    const [row] = await sql<{ id: string }[]>`
      INSERT INTO outgoing_activities (account_id, body)
      VALUES (${alice.accountId}, ${JSON.stringify({ id: n })}) RETURNING id`;
    ids.push(row!.id);
  }
  const inboxes = [`${peer.origin}/inbox`, "https://There.Example:443/inbox?a=b"];
  // The later ones first: the order is that of the activities.
  for (const activityId of ids.toReversed()) {
    for (const inbox of inboxes) {
      const payload = JSON.stringify({ activityId, inbox, tries: 4 });
      await sql`
        SELECT graphile_worker.add_job('delivery', ${payload}::text::json,
          run_at := now() + interval '5 hours')`;
    }
  }
  await sql`SELECT graphile_worker.add_job('account.followed', '{}'::json)`;
  await sql`INSERT INTO remote_hosts (host, failures, slow) VALUES ('there.example', 7, true)`;
  await migrate();
  const hosts = await sql<{ host: string; failures: number; due: boolean; count: number }[]>`
    SELECT host, failures, due_at <= now() AS due,
      (SELECT count(*)::int FROM deliveries d WHERE d.host = h.host) AS count
    FROM remote_hosts h ORDER BY failures`;
  assert.deepEqual(
    hosts.map((row) => ({ ...row })),
    [
      { host: peer.host, failures: 0, due: true, count: 2 },
      { host: "there.example", failures: 7, due: true, count: 2 },
    ],
  );
  const left = await sql`SELECT task_identifier FROM graphile_worker.jobs`;
  assert.deepEqual(
    left.map((row) => row["task_identifier"]),
    ["account.followed"],
  );
  await sql`DELETE FROM deliveries WHERE host = 'there.example'`;
  await drainDeliveries(t.app);
  assert.deepEqual(
    peer.inbox().map(({ id }) => id),
    [1, 2],
  );
});
