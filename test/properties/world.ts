// Some people of a server and of a remote one, who do random things; and beside the server a second one on the same
// database that caches nothing.

import type { AddressInfo } from "node:net";
import { closeApp, createApp } from "../../src/app.ts";
import { homeKey, listKey } from "../../src/domain/people/relationships/changed.ts";
import type { App } from "../../src/platform/app.ts";
import { startWeb } from "../../src/roles/web.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, Person, RequestOptions, TestApp } from "../harness.ts";
import { sendRequest } from "../person.ts";
import { seeded } from "../seeded.ts";

const NAMES = ["alice", "bob", "carol", "dave"];

export type Owned = { id: string; by: Person };
/** A remote post with its id there. */
export type RemotePost = { uri: string; by: PeerActor };

export type World = {
  server: TestApp;
  people: Person[];
  peer: FakePeer;
  actors: PeerActor[];
  /** Ids of the local people, then of the remote ones. */
  accounts: string[];
  /** Everything that was ever made, including what was deleted since. */
  statuses: Owned[];
  /** Local boosts: `id` is what was boosted. */
  boosts: Owned[];
  remotePosts: RemotePost[];
  boostsByActors: { id: string; by: PeerActor; object: string }[];
  lists: Owned[];
  filters: Owned[];
  random(): number;
  /** Returns one of at least one item. */
  pick<T>(all: readonly T[]): T;
  chance(probability: number): boolean;
  /** Sends a request to the server that caches nothing and has no feed. */
  askCold(path: string, options: RequestOptions): Promise<Answer>;
  /** Makes the second server forget everything. */
  forgetCold(): Promise<void>;
  close(): Promise<void>;
};

const startCold = async ({ app, databaseUrl }: TestApp) => {
  const { config } = app;
  const caches = { ...config.caches, statuses: false, credentialSeconds: 0 };
  const cold: App = createApp({
    config: { ...config, caches, http: { ...config.http, port: 0 } },
    databaseUrl,
    clock: app.clock,
    log: app.log,
  });
  const web = await startWeb(cold);
  const { port } = web.server.address() as AddressInfo;
  return { app: cold, web, url: `http://127.0.0.1:${port}` };
};

const accountId = async (by: Person, acct: string): Promise<string> => {
  const path = `/api/v2/search?resolve=true&type=accounts&q=${encodeURIComponent(`@${acct}`)}`;
  const { json } = await by.get(path);
  return json.accounts[0].id;
};

export const openWorld = async (seed: number): Promise<World> => {
  const server = await startTestApp();
  const cold = await startCold(server);
  const peer = await startPeer("127.0.0.2");
  const people: Person[] = [];
  for (const name of NAMES) people.push(await server.person(name));
  const actors = [peer.actor("xena", 0), peer.actor("yuri", 1)];
  const accounts = people.map((person) => person.accountId);
  for (const { name } of actors) {
    accounts.push(await accountId(people[0]!, `${name}@${peer.host}`));
  }
  const random = seeded(seed);
  const world: World = {
    server,
    people,
    peer,
    actors,
    accounts,
    statuses: [],
    boosts: [],
    remotePosts: [],
    boostsByActors: [],
    lists: [],
    filters: [],
    random,
    pick: (all) => all[Math.floor(random() * all.length)]!,
    chance: (probability) => random() < probability,
    askCold: (path, options) => sendRequest(new URL(path, cold.url).toString(), "GET", options),
    async forgetCold() {
      cold.app.caches.clear();
      const homes = people.map((person) => homeKey(person.accountId));
      await cold.app.feeds.drop([...homes, ...world.lists.map(({ id }) => listKey(id))]);
    },
    async close() {
      await cold.web.close();
      await closeApp(cold.app);
      await server.close();
      await peer.close();
    },
  };
  return world;
};
