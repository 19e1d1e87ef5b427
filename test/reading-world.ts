// Shared by the tests of fetching remote objects: two fake peers, and a server that reads from them.

import { after, before } from "node:test";
import { startPeer } from "./fake-peer.ts";
import type { FakePeer, PeerActor } from "./fake-peer.ts";
import { startTestApp } from "./harness.ts";
import type { TestApp } from "./harness.ts";
import { RemoteFault } from "../src/federation/faults.ts";
import type { RemoteFaultKind } from "../src/federation/faults.ts";

export type Json = Record<string, any>;

/** Set before the first test of the file. */
export type World = {
  test: TestApp;
  peer: FakePeer;
  other: FakePeer;
  /** The server's clock, in milliseconds. */
  time: number;
};

let serial = 0;

/** Returns a name that no other test uses. */
export const fresh = (): string => `p${++serial}`;

/** Starts everything before the tests of a file, and stops it after them. */
export const readingWorld = (): World => {
  const world = { time: Date.now() } as World;
  before(async () => {
    world.test = await startTestApp({ clock: { now: () => new Date(world.time) } });
    world.peer = await startPeer();
    world.other = await startPeer("127.0.0.2");
  });
  after(async () => {
    await world.peer.close();
    await world.other.close();
    await world.test.close();
  });
  return world;
};

export const fingerPath = (host: string, name: string): string =>
  `/.well-known/webfinger?resource=acct:${name}@${host}`;

/** Returns a WebFinger answer. */
export const finger = (handle: string, actorUri: string): Json => ({
  subject: `acct:${handle}`,
  links: [{ rel: "self", type: "application/activity+json", href: actorUri }],
});

export const fault =
  (kind: RemoteFaultKind) =>
  (error: unknown): boolean =>
    error instanceof RemoteFault && error.kind === kind;

/** Counts the requests of this path. */
export const requestsFor = (from: FakePeer, path: string): number =>
  from.received.filter((request) => decodeURIComponent(request.path) === path).length;

/** Returns an actor of `peer` with changed members, and WebFinger for its handle. */
export const actorWith = ({ peer }: World, members: Json): PeerActor => {
  const actor = peer.actor(fresh());
  Object.assign(actor.document, members);
  return actor;
};

export const accountRow = async ({ test }: World, uri: string) => {
  const [row] = await test.app.sql<{ id: string; username: string; domain: string | null }[]>`
    SELECT id, username, domain FROM accounts WHERE uri = ${uri}`;
  return row ?? null;
};
