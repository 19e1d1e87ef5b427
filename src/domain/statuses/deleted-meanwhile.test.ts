// Acts on a post that is deleted at the same moment: neither of the two fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { eventually } from "../../../test/journeys/eventually.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});
after(() => server.close());

const waitsForLock = async (): Promise<boolean> => {
  const [row] = await server.app.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return row!.count > 0;
};

const UNDONE: Record<string, string> = { unfavourite: "favourite", unreblog: "reblog" };

for (const verb of ["favourite", "unfavourite", "reblog", "unreblog", "reply"]) {
  test(`${verb} waits for a deletion, and holds nothing that this needs`, async () => {
    const json = { status: "Soon gone" };
    const { id } = (await server.request("POST", "/api/v1/statuses", { token: alice.token, json }))
      .json as { id: string };
    const answering = { status: "An answer", in_reply_to_id: id };
    const act = (name: string) =>
      name === "reply"
        ? server.request("POST", "/api/v1/statuses", { token: bob.token, json: answering })
        : server.request("POST", `/api/v1/statuses/${id}/${name}`, { token: bob.token });
    if (UNDONE[verb]) await act(UNDONE[verb]);
    const acting = await server.fixture(async (tx) => {
      // As a deletion does: the post, then what hangs on it.
      await tx`SELECT FROM statuses WHERE id = ${id} FOR UPDATE`;
      const answer = act(verb);
      await eventually("the act to wait", waitsForLock);
      await tx`DELETE FROM favourites WHERE status_id = ${id}`;
      await tx`DELETE FROM statuses WHERE reblog_of_id = ${id}`;
      await tx`DELETE FROM status_stats WHERE status_id = ${id}`;
      await tx`DELETE FROM statuses WHERE id = ${id}`;
      return { answer };
    });
    const { status, text } = await acting.answer;
    assert.ok(status === 200 || status === 404, `${status} ${text}`);
    const rows = await server.app.sql`
      SELECT FROM favourites WHERE status_id = ${id}
      UNION ALL SELECT FROM statuses WHERE reblog_of_id = ${id} OR in_reply_to_id = ${id}`;
    assert.equal(rows.length, 0);
  });
}
