// A server with two people for the tests of streaming, and helpers.

import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach } from "node:test";
import { authenticator } from "../src/domain/people/oauth/authenticate.ts";
import { loadAsServer } from "../src/domain/posts/statuses/load.ts";
import type { StatusView } from "../src/domain/posts/statuses/tables.ts";
import type { Limits } from "../src/domain/reading/streaming/hub.ts";
import { publishStatus, publishToUsers } from "../src/domain/reading/timelines/streams.ts";
import { createServer } from "../src/platform/http/create-server.ts";
import { attachStreaming } from "../src/roles/streaming.ts";
import { startTestApp } from "./harness.ts";
import type { Person, TestApp } from "./harness.ts";
import { openStream } from "./stream-client.ts";
import type { OpenOptions, StreamClient } from "./stream-client.ts";

export type World = {
  server: TestApp;
  alice: Person;
  bob: Person;
  /** Opens a socket that is closed after the test. */
  open(options?: OpenOptions, url?: string): Promise<StreamClient>;
  /** Opens a socket and subscribes; resolves when the server has handled all messages. */
  listen(who: Person, ...streams: object[]): Promise<StreamClient>;
  view(id: string): Promise<StatusView>;
  post(by: Person, status: string, more?: object): Promise<StatusView>;
  /** Posts, and publishes the post on the public streams, as the flow of a new status does. */
  publish(by: Person, status: string, more?: object): Promise<StatusView>;
  reblog(by: Person, id: string): Promise<StatusView>;
  /** Publishes an event with a plain text on the user stream. */
  notifyUser(who: Person, text: string): Promise<void>;
  /** Runs `work` with a server of its own on the same app, with limits that a test can reach. */
  withLimits(limits: Partial<Limits>, work: (url: string) => Promise<void>): Promise<void>;
};

const withLimits = async (
  { app }: TestApp,
  limits: Partial<Limits>,
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const identify = authenticator(app);
  const own = createServer(app, identify);
  attachStreaming(app, own, identify, limits);
  await own.listen({ host: "127.0.0.1", port: 0 });
  const { port } = own.server.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${port}`);
  } finally {
    await own.close();
  }
};

const acts = (world: World, clients: StreamClient[]) => ({
  async open(options: OpenOptions = {}, url = world.server.url) {
    const client = await openStream(url, options);
    clients.push(client);
    return client;
  },
  async listen(who: Person, ...streams: object[]) {
    const client = await world.open({ query: { access_token: who.token } });
    for (const stream of streams) client.send({ type: "subscribe", ...stream });
    await client.settle();
    return client;
  },
  async view(id: string) {
    const [view] = await loadAsServer(world.server.app, [id]);
    return view!;
  },
  async post(by: Person, status: string, more: object = {}) {
    return world.view((await by.post("/api/v1/statuses", { status, ...more }).ok()).id);
  },
  async publish(by: Person, status: string, more: object = {}) {
    const view = await world.post(by, status, more);
    await publishStatus(world.server.app, view, "update");
    return view;
  },
  async reblog(by: Person, id: string) {
    const path = `/api/v1/statuses/${id}/reblog`;
    return world.view((await by.post(path).ok()).id);
  },
  notifyUser: ({ accountId }: Person, text: string) =>
    publishToUsers(world.server.app, [accountId], { event: "test", payload: text }),
  withLimits: (limits: Partial<Limits>, work: (url: string) => Promise<void>) =>
    withLimits(world.server, limits, work),
});

const cleanUp = async ({ app, write }: TestApp): Promise<void> => {
  await write`TRUNCATE blocks, mutes, follows, notifications`;
  // Jobs of an earlier test must not affect this one.
  await app.sql`DELETE FROM graphile_worker._private_jobs`;
  await app.sql`DELETE FROM outbox`;
  await write`UPDATE users SET settings = '{}', disabled = false`;
};

/** Registers the hooks of a test file; the world is set before the first test. */
export const streamingWorld = (): World => {
  const clients: StreamClient[] = [];
  const world = {} as World;
  Object.assign(world, acts(world, clients));
  before(async () => {
    // Each test decides what is published, and when.
    world.server = await startTestApp({ worker: false });
    world.alice = await world.server.person("alice");
    world.bob = await world.server.person("bob");
  });
  after(() => world.server.close());
  beforeEach(() => cleanUp(world.server));
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.terminate();
  });
  return world;
};
