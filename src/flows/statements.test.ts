// How many SQL statements an act takes, with all that follows from it, on a server as it runs: worker and
// caches on. A number that grows needs its reason beside it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../test/fake-peer.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

let t: TestApp;
let peer: FakePeer;
let stranger: PeerActor;
let alice: Person;
let bob: Person;

const post = (by: Person, status: string): Promise<{ id: string; uri: string }> =>
  by.post("/api/v1/statuses", { status }).ok();

/** Settings of a user. */
const NO_MAILS = { mails: { mention: false, quote: false, follow: false } } as never;

let serial = 0;

const send = async (activity: Record<string, unknown>): Promise<void> => {
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${stranger.uri}#activities/${++serial}`,
    actor: stranger.uri,
    ...activity,
  };
  const { status, text } = await peer.post(`${t.url}/inbox`, stranger, whole);
  assert.equal(status, 202, text);
};

const createNote = async (members: object = {}): Promise<void> => {
  const object = peer.note(stranger, `/notes/${++serial}`, { ...members });
  await send({ type: "Create", object, to: object["to"], cc: object["cc"] });
};

before(async () => {
  t = await startTestApp({ pace: null });
  peer = await startPeer();
  stranger = peer.actor("stranger", 0);
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  await t.person("carol");
  await t.write`UPDATE users SET settings = ${NO_MAILS} WHERE id = ${alice.userId}`;
  await t.write`UPDATE users SET settings = ${NO_MAILS} WHERE id = ${bob.userId}`;
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`, {}).ok();
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, {}).ok();
  await send({ type: "Follow", object: `${t.url}/users/alice` });
  await t.runJobs();
});

after(async () => {
  await peer.close();
  await t.close();
});

/**
 * The lowest of five tries: periodic work and first reads of a cache may fall into a try.
 * `prepare` makes what the act is done with.
 */
const statements = async <T>(
  prepare: () => Promise<T>,
  act: (subject: T) => Promise<unknown>,
): Promise<number> => {
  const counts: number[] = [];
  for (let n = 0; n < 5; n++) {
    const subject = await prepare();
    await t.runJobs();
    await bob.get("/api/v1/timelines/home").ok();
    await alice.get("/api/v1/timelines/home").ok();
    const { queries } = await t.countQueries(
      async () => {
        await act(subject);
        await t.runJobs();
      },
      { warm: true },
    );
    counts.push(queries);
  }
  return Math.min(...counts);
};

const nothing = async (): Promise<void> => {};

const BUDGETS: [string, number, () => Promise<number>][] = [
  [
    "a favourite",
    6,
    () =>
      statements(
        () => post(alice, "likeable"),
        ({ id }) => bob.post(`/api/v1/statuses/${id}/favourite`, {}).ok(),
      ),
  ],
  [
    "the end of a favourite",
    3,
    () =>
      statements(
        async () => {
          const status = await post(alice, "likeable");
          return bob.post(`/api/v1/statuses/${status.id}/favourite`, {}).ok();
        },
        ({ id }) => bob.post(`/api/v1/statuses/${id}/unfavourite`, {}).ok(),
      ),
  ],
  [
    "a boost",
    7,
    () =>
      statements(
        () => post(alice, "worth a boost"),
        ({ id }) => bob.post(`/api/v1/statuses/${id}/reblog`, {}).ok(),
      ),
  ],
  ["a post", 4, () => statements(nothing, () => post(bob, "hello"))],
  // A follower elsewhere gets it.
  ["a post, with its delivery", 11, () => statements(nothing, () => post(alice, "hello"))],
  [
    "a post with a mention and a tag",
    8,
    () => statements(nothing, () => post(bob, "hello @alice, see #garden")),
  ],
  // One job for each mail, which reads for its recipient what an app would read.
  [
    "a post with a mention that is sent by mail, too",
    16,
    () => statements(nothing, () => post(bob, "hello @carol")),
  ],
  [
    "a remote note",
    18,
    () => statements(nothing, () => createNote({ to: [PUBLIC, `${t.url}/users/alice`] })),
  ],
  [
    "a remote Like",
    20,
    () =>
      statements(
        () => post(alice, "likeable"),
        ({ uri }) => send({ type: "Like", object: uri }),
      ),
  ],
];

for (const [name, budget, measure] of BUDGETS) {
  test(`${name}: at most ${budget} statements`, async () => {
    const count = await measure();
    assert.ok(count <= budget, `${count} statements`);
    if (process.env["TEST_SHOW_STATEMENTS"]) console.log(`${name}: ${count}`);
  });
}
