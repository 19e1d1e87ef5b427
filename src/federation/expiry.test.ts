// Two servers: a post that ends is deleted at both, and when it ends is known there from the beginning.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { untilQuiet } from "../../test/until-quiet.ts";

let now = new Date();
let here: TestApp;
let there: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  const clock = { now: () => now };
  [here, there] = await Promise.all([startTestApp({ clock }), startTestApp({ clock })]);
  [alice, bob] = [await here.person("alice"), await there.person("bob")];
});
after(() => Promise.all([here?.close(), there?.close()]));

/** A post of hers that ends in ten minutes, and the copy that is there. */
const written = async () => {
  const own = await alice.post("/api/v1/statuses", { status: "x", expires_in: 600 }).ok();
  await untilQuiet(here, there);
  const search = `/api/v2/search?q=${encodeURIComponent(own.uri)}`;
  const [copy] = (await bob.get(search).ok()).statuses;
  assert.equal(copy.expires_at.slice(0, 19), own.expires_at.slice(0, 19));
  return { own, copy };
};

const expire = async (server: TestApp): Promise<void> => {
  await server.app.jobs.add(server.app.sql, "statuses.expire", {});
  await untilQuiet(here, there);
};

const stateAt = async (server: TestApp, { id }: { id: string }): Promise<number> =>
  (await server.visitor.get(`/api/v1/statuses/${id}`)).status;

test("it ends by the Delete of its server, and by the other one's own clock", async () => {
  const search = `/api/v2/search?resolve=true&q=${encodeURIComponent(`${here.url}/users/alice`)}`;
  const [followed] = (await bob.get(search).ok()).accounts;
  await bob.post(`/api/v1/accounts/${followed.id}/follow`).ok();
  await untilQuiet(here, there);
  const [first, second] = [await written(), await written()];
  now = new Date(now.getTime() + 600_000);
  await there.write`UPDATE statuses SET expires_at = NULL WHERE id = ${first.copy.id}`;
  await expire(there);
  const states = async () => [
    await stateAt(here, first.own),
    await stateAt(there, first.copy),
    await stateAt(here, second.own),
    await stateAt(there, second.copy),
  ];
  assert.deepEqual(await states(), [200, 200, 200, 404]);
  await expire(here);
  assert.deepEqual(await states(), [404, 404, 404, 404]);
});
