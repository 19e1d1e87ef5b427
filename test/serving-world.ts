// Shared by the tests of ActivityPub routes: a server with alice, and a fake peer that sends requests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";
import { startPeer } from "./fake-peer.ts";
import type { FakePeer, PeerActor } from "./fake-peer.ts";
import { startTestApp } from "./harness.ts";
import type { Answer, Person, TestApp } from "./harness.ts";
import { parsePrivateKey } from "../src/federation/signatures/keys.ts";
import { signRequest } from "../src/federation/signatures/sign.ts";

export type Json = Record<string, any>;
type Exchange = { name: string; response: { json?: Json } };

export const ACCEPT = "application/activity+json";
export const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

const recorded = JSON.parse(
  readFileSync(new URL("./golden/rest.json", import.meta.url), "utf8"),
) as { exchanges: Exchange[] };

/** Returns the recorded body with this name. */
export const golden = (name: string): Json =>
  recorded.exchanges.find((exchange) => exchange.name === name)!.response.json!;

/** Set before the first test of the file. */
export type World = { test: TestApp; peer: FakePeer; alice: Person; bob: PeerActor; uri: string };

export const servingWorld = (): World => {
  const world = {} as World;
  before(async () => {
    world.test = await startTestApp();
    world.peer = await startPeer();
    world.alice = await world.test.person("alice");
    world.bob = world.peer.actor("bob", 1);
    world.uri = `${world.test.url}/users/alice`;
  });
  after(async () => {
    await world.peer.close();
    await world.test.close();
  });
  return world;
};

export const get = ({ test }: World, path: string, headers: Record<string, string> = {}) =>
  test.visitor.get(path, { accept: ACCEPT, ...headers });

type Signing = {
  /** Path that is signed, instead of the requested one. */
  target?: string;
  /** The signer; bob by default. */
  actor?: PeerActor;
};

export const getSigned = (world: World, path: string, signing: Signing = {}): Promise<Answer> => {
  const { target = path, actor = world.bob } = signing;
  const { host: _host, ...headers } = signRequest({
    method: "GET",
    url: `${world.test.url}${target}`,
    keyId: actor.keyId,
    privateKey: parsePrivateKey(actor.privateKeyPem),
    accept: ACCEPT,
  });
  return get(world, path, headers);
};

/** Posts as alice; `path` is that of the ActivityPub document. */
export const post = async ({ alice }: World, text: string, more: Json = {}) => {
  const json = await alice.post("/api/v1/statuses", { status: text, language: "en", ...more }).ok();
  return { id: json.id as string, path: `/users/alice/statuses/${json.id}` };
};

const members = (value: Json): string[] => Object.keys(value).toSorted();

/** Checks for the same members and types of values as recorded; members in `also` are optional. */
export const agrees = (ours: Json, theirs: Json, also: string[] = []): void => {
  const beside = (value: Json) => members(value).filter((name) => !also.includes(name));
  assert.deepEqual(beside(ours), beside(theirs));
  for (const name of beside(ours)) {
    const [a, b] = [ours[name], theirs[name]];
    assert.equal(Array.isArray(a), Array.isArray(b), name);
    if (a !== null && b !== null) assert.equal(typeof a, typeof b, name);
  }
};
