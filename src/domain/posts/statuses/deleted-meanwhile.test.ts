// Acts on a post that is deleted at the same moment: neither of the two fails.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { seeded } from "../../../../test/seeded.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { waitsForLock } from "../../../../test/waits-for-lock.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  [alice, bob] = [await server.person("alice"), await server.person("bob")];
});
after(() => server.close());

for (const verb of ["favourite", "unfavourite", "reblog", "reply"]) {
  test(`${verb} waits for a deletion, and holds nothing that this needs`, async () => {
    const json = { status: "Soon gone" };
    const { id } = (await alice.post("/api/v1/statuses", json)).json as { id: string };
    const answering = { status: "An answer", in_reply_to_id: id };
    const act = (name: string) =>
      name === "reply"
        ? bob.post("/api/v1/statuses", answering)
        : bob.post(`/api/v1/statuses/${id}/${name}`);
    if (verb === "unfavourite") await act("favourite");
    const acting = await server.fixture(async (tx) => {
      // As a deletion does: the post, then what hangs on it.
      await tx`SELECT FROM statuses WHERE id = ${id} FOR UPDATE`;
      const answer = act(verb);
      await eventually("the act to wait", () => waitsForLock(server.app.sql));
      await tx`DELETE FROM favourites WHERE status_id = ${id}`;
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

test("people who post, answer, boost, mark and delete the same posts at once never wait for each other in a ring", async () => {
  const people = [alice, bob, await server.person("carol"), await server.person("dave")];
  const random = seeded(20_261_124);
  const posts: { id: string; author: Person }[] = [];
  const faults: string[] = [];
  const act = async (who: Person) => {
    const post = posts.slice(-6)[Math.floor(random() * 6)];
    const chance = random();
    if (!post || chance < 0.2) return who.post("/api/v1/statuses", { status: `New ${chance}` });
    if (chance < 0.35)
      return who.post("/api/v1/statuses", { status: `Re ${chance}`, in_reply_to_id: post.id });
    if (chance > 0.9) return server.as(post.author.token).delete(`/api/v1/statuses/${post.id}`);
    const verbs = ["reblog", "unreblog", "favourite", "unfavourite"];
    return who.post(`/api/v1/statuses/${post.id}/${verbs[Math.floor(random() * verbs.length)]}`);
  };
  const use = async (person: Person) => {
    for (let n = 0; n < 50; n += 1) {
      const { status, json, text } = await act(person);
      if (status >= 500) faults.push(text);
      if (json?.content?.includes("New")) posts.push({ id: json.id, author: person });
    }
  };
  await Promise.all([...people, ...people, ...people, ...people, ...people].map(use));
  assert.deepEqual(faults, []);
  const [row] = await server.app.sql<{ deadlocks: string }[]>`
    SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`;
  assert.equal(Number(row!.deadlocks), 0);
});
