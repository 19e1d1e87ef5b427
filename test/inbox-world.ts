// A server and two fake peers for the tests of the inbox: their actors, sending as them, and a snapshot of everything
// that an attack could change. `openWorld` sets the exported variables.

import assert from "node:assert/strict";
import { follow } from "../src/domain/people/relationships/follow.ts";
import { startPeer } from "./fake-peer.ts";
import type { FakePeer, PeerActor } from "./fake-peer.ts";
import { startTestApp } from "./harness.ts";
import type { Person, TestApp, TestOptions } from "./harness.ts";

export type Json = Record<string, unknown>;

export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
export let time = Date.now();
export let test: TestApp;
export let peer: FakePeer;
/** A peer on another host than `peer`. */
export let otherPeer: FakePeer;
export let bob: PeerActor;
export let eve: PeerActor;
export let mallory: PeerActor;
export let alice: Person;
export let carol: Person;
export let serial = 0;

export const uriOf = (person: Person) => `${test.url}/users/${person.username}`;
export const nextId = (actor: PeerActor) => `${actor.uri}#activities/${++serial}`;
export const inbox = () => `${test.url}/inbox`;

export const send = async (actor: PeerActor, activity: Json, expected = 202): Promise<void> => {
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: nextId(actor),
    actor: actor.uri,
    ...activity,
  };
  const { status, text } = await peer.post(inbox(), actor, whole);
  assert.equal(status, expected, text);
  await test.runJobs();
};

export const idOfActor = async (actor: PeerActor): Promise<string> => {
  const [row] = await test.app.sql<
    { id: string }[]
  >`SELECT id FROM accounts WHERE uri = ${actor.uri}`;
  return row!.id;
};

export const count = async (table: string): Promise<number> => {
  const [row] = await test.app.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${test.app.sql(table)}`;
  return row!.count;
};

export const TABLES = [
  "accounts",
  "statuses",
  "follows",
  "follow_requests",
  "favourites",
  "blocks",
  "status_pins",
  "seen_activities",
  "tombstones",
  "early_deletes",
  "notifications",
];

/** Returns everything that an attack could change, and how many requests it caused. */
export const world = async () => {
  const counts = await Promise.all(TABLES.map(count));
  const jobs = await test.app.sql`SELECT 1 FROM graphile_worker._private_jobs`;
  const texts = await test.app.sql<{ content: string }[]>`SELECT content FROM statuses ORDER BY id`;
  const requests = [...peer.received, ...otherPeer.received].filter(
    (r) => r.method === "GET",
  ).length;
  return { counts, jobs: jobs.length, requests, texts: texts.map((row) => row.content) };
};

export const statusByUri = async (uri: unknown) => {
  const [row] = await test.app.sql<
    {
      id: string;
      content: string;
      visibility: string;
      in_reply_to_id: string | null;
      edited_at: Date | null;
    }[]
  >`
    SELECT id, content, visibility, in_reply_to_id, edited_at FROM statuses WHERE uri = ${String(uri)}`;
  return row;
};

export const post = async (person: Person, text: string, more: Json = {}) => {
  const json = await person.post("/api/v1/statuses", { status: text, ...more }).done();
  return json as { id: string; uri: string };
};

export const note = (actor: PeerActor, members: Json = {}) =>
  peer.note(actor, `/notes/${++serial}`, members);

export const create = async (actor: PeerActor, members: Json = {}): Promise<Json> => {
  const object = note(actor, members);
  await send(actor, { type: "Create", object, to: object["to"], cc: object["cc"] });
  return object;
};

/** Makes `person` a follower of the actor, as if the actor had accepted. */
export const followed = async (person: Person, actor: PeerActor): Promise<void> => {
  await send(actor, { type: "Follow", object: uriOf(carol) });
  const targetId = await idOfActor(actor);
  await follow(test.app, { accountId: person.accountId, targetId });
  await send(actor, {
    type: "Accept",
    object: { type: "Follow", actor: uriOf(person), object: actor.uri },
  });
};

const open = async (options: TestOptions): Promise<void> => {
  test = await startTestApp({ clock: { now: () => new Date(time) }, ...options });
  [peer, otherPeer] = await Promise.all([startPeer(), startPeer("127.0.0.2")]);
  bob = peer.actor("bob", 0);
  eve = peer.actor("eve", 1);
  mallory = otherPeer.actor("mallory", 2);
  alice = await test.person("alice");
  carol = await test.person("carol");
  await followed(alice, bob);
  // The server knows eve, but nobody follows her.
  await send(eve, { type: "Follow", object: uriOf(carol) });
};

export const openWorld = () => open({});

/** Opens a world whose server had other names before, by its port. */
export const openMovedWorld = (formerNames: TestOptions["formerNames"]) => open({ formerNames });

/** Opens a world without a worker: only `runJobs()` processes anything. */
export const openIdleWorld = () => open({ worker: false });

export const advance = (ms: number): void => {
  time += ms;
};

/** Resets the clock and lets the peer answer normally. */
export const calmWorld = (): void => {
  time = Date.now();
  peer.answer.status = 202;
};

export const closeWorld = async (): Promise<void> => {
  await peer?.close();
  await otherPeer?.close();
  await test?.close();
};
