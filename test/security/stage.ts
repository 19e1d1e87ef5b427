// The set-up of the attacks: a server with people, fake peers that sign, and a snapshot of everything that an attack
// could change.

import assert from "node:assert/strict";
import { follow } from "../../src/domain/people/relationships/follow.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor, PostOptions, Signer } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, Person, TestApp, TestOptions } from "../harness.ts";

export type Json = Record<string, unknown>;
export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

export type Stage = {
  server: TestApp;
  /** The server of bob and eve; mallory is on `otherPeer`. alice follows bob. */
  peer: FakePeer;
  otherPeer: FakePeer;
  bob: PeerActor;
  eve: PeerActor;
  mallory: PeerActor;
  alice: Person;
  carol: Person;
  uriOf(person: Person): string;
  nextId(actor: Signer): string;
  /** Signs and posts to the shared inbox, without running jobs. */
  post(
    actor: Signer,
    activity: Json,
    options?: PostOptions,
  ): Promise<{ status: number; text: string }>;
  /** Posts, expects 202, and runs the jobs. */
  send(actor: PeerActor, activity: Json): Promise<void>;
  /** Makes a note of the actor, served at its id. */
  note(actor: PeerActor, members?: Json): Json;
  /** Makes a note that was received by Create. */
  create(actor: PeerActor, members?: Json): Promise<Json>;
  write(person: Person, text: string, more?: Json): Promise<{ id: string; uri: string }>;
  get(path: string, by?: Person | null): Promise<Answer>;
  accountId(actor: PeerActor): Promise<string>;
  statusId(uri: unknown): Promise<string | null>;
  /** Returns what a signed-in search with `resolve` finds. */
  resolve(q: string): Promise<Json & { accounts: Json[]; statuses: Json[] }>;
  close(): Promise<void>;
};

/** Tables that every request or activity writes to, valid or not. */
const BOOKKEEPING = /^(?:incoming_activities|seen_activities.*|early_deletes|settings)$/;

let tables: string[] | null = null;

const tableNames = async ({ app }: TestApp): Promise<string[]> => {
  const rows = await app.sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`;
  return rows.map(({ name }) => name).filter((name) => !BOOKKEEPING.test(name));
};

/** Returns a snapshot: a digest of all rows by table, and how many jobs wait. Times of fetching are left out. */
export const picture = async (server: TestApp): Promise<Record<string, string>> => {
  tables ??= await tableNames(server);
  await server.untilNoted();
  const { sql } = server.app;
  const digests = tables.map(
    (name) => sql`
      SELECT ${name}::text AS name, count(*) || ' ' || md5(coalesce(string_agg(row, ',' ORDER BY row), ''))
        AS digest
      FROM (SELECT (to_jsonb(t) - 'fetched_at' - 'updated_at')::text AS row FROM ${sql(name)} t) AS rows`,
  );
  const jobs = sql`
    SELECT 'jobs' AS name, count(*)::text AS digest FROM graphile_worker._private_jobs
    WHERE key IS NULL OR key NOT LIKE 'inbox:%'`;
  const query = digests.reduce((all, digest) => sql`${all} UNION ALL ${digest}`, jobs);
  const rows = await sql<{ name: string; digest: string }[]>`${query}`;
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
};

/** Returns the number of requests that the peers have received. */
export const requestsOf = (...peers: FakePeer[]): number =>
  peers.reduce((sum, { received }) => sum + received.length, 0);

/** Does the work and fails if it changed a row, added a job or sent a request to a peer. */
export const unchanged = async (
  stage: Pick<Stage, "server" | "peer" | "otherPeer">,
  work: () => Promise<unknown>,
  requests = 0,
): Promise<void> => {
  await stage.server.runJobs();
  const before = await picture(stage.server);
  const askedBefore = requestsOf(stage.peer, stage.otherPeer);
  await work();
  await stage.server.runJobs();
  assert.deepEqual(await picture(stage.server), before);
  const count = requestsOf(stage.peer, stage.otherPeer) - askedBefore;
  assert.ok(count <= requests, `${count} outbound requests`);
};

type Base = Pick<Stage, "server" | "peer" | "otherPeer">;

const acts = ({ server, peer, otherPeer }: Base) => {
  let serial = 0;
  const home = (actor: PeerActor) => (actor.uri.startsWith(peer.origin) ? peer : otherPeer);
  const nextId = (actor: Signer) => `${actor.uri}#activities/${++serial}`;
  const CONTEXT = "https://www.w3.org/ns/activitystreams";
  const self = {
    uriOf: (person: Person) => `${server.url}/users/${person.username}`,
    nextId,
    post(actor: Signer, activity: Json, options: PostOptions = {}) {
      const whole = { "@context": CONTEXT, id: nextId(actor), actor: actor.uri, ...activity };
      return peer.post(`${server.url}/inbox`, actor, whole, options);
    },
    async send(actor: PeerActor, activity: Json) {
      const { status, text } = await self.post(actor, activity);
      assert.equal(status, 202, text);
      await server.runJobs();
    },
    note: (actor: PeerActor, members: Json = {}) =>
      home(actor).note(actor, `/notes/${++serial}`, members),
    async create(actor: PeerActor, members: Json = {}) {
      const object = self.note(actor, members);
      await self.send(actor, { type: "Create", object, to: object["to"], cc: object["cc"] });
      return object;
    },
    async write(person: Person, status: string, more: Json = {}) {
      const json = { status, ...more };
      return (await person.post("/api/v1/statuses", json).done()) as { id: string; uri: string };
    },
    get: (path: string, by: Person | null = null) => (by ?? server.visitor).get(path),
    async accountId(actor: PeerActor) {
      const [row] = await server.app.sql<
        { id: string }[]
      >`SELECT id FROM accounts WHERE uri = ${actor.uri}`;
      return row!.id;
    },
    async statusId(uri: unknown) {
      const [row] = await server.app.sql<
        { id: string }[]
      >`SELECT id FROM statuses WHERE uri = ${String(uri)}`;
      return row?.id ?? null;
    },
  };
  return self;
};

/** Makes alice follow bob, and stores everybody's visit, so that later requests do not write it. */
const settle = async (stage: Stage): Promise<void> => {
  const { server, alice, carol, bob } = stage;
  await stage.send(bob, { type: "Follow", object: stage.uriOf(carol) });
  await follow(server.app, { accountId: alice.accountId, targetId: await stage.accountId(bob) });
  const object = { type: "Follow", actor: stage.uriOf(alice), object: bob.uri };
  await stage.send(bob, { type: "Accept", object });
  for (const person of [alice, carol]) await stage.get("/api/v1/preferences", person);
};

export const startStage = async (options: TestOptions = {}): Promise<Stage> => {
  const server = await startTestApp(options);
  const [peer, otherPeer] = await Promise.all([startPeer(), startPeer("127.0.0.2")]);
  const stage: Stage = {
    server,
    peer,
    otherPeer,
    bob: peer.actor("bob", 0),
    eve: peer.actor("eve", 1),
    mallory: otherPeer.actor("mallory", 2),
    alice: await server.person("alice"),
    carol: await server.person("carol"),
    ...acts({ server, peer, otherPeer }),
    async resolve(q) {
      const query = new URLSearchParams({ q, resolve: "true" });
      return stage.alice.get(`/api/v2/search?${query}`).ok();
    },
    async close() {
      await Promise.all([peer.close(), otherPeer.close()]);
      await server.close();
    },
  };
  await settle(stage);
  return stage;
};
