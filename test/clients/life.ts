// What the walks with the client library masto share: a live server as it runs in life (workers and
// caches on), people with clients, waiting for what jobs do, listening to a stream.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createRestAPIClient, createStreamingAPIClient, MastoHttpError } from "masto";
import type { mastodon } from "masto";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";

const PATIENCE_MS = 10_000;

export type Someone = Person & {
  rest: mastodon.rest.Client;
  /** What a stream told this person, from now on. */
  listen(to: (streaming: mastodon.streaming.Client) => Subscription): Promise<Listener>;
};

type Subscription = AsyncIterable<mastodon.streaming.Event>;

export type Listener = {
  events: mastodon.streaming.Event[];
  /** The first event of this name for which `of` holds, come or to come; its payload. */
  heard(name: string, of?: (payload: any) => boolean): Promise<any>;
  close(): void;
};

export type Life = TestApp & {
  /** The server's clock goes on by so many seconds; jobs that waited for a time are due. */
  pass(seconds: number): Promise<void>;
};

/** A server whose clock can be moved on. */
export const startLife = async (env: Record<string, string> = {}): Promise<Life> => {
  let ahead = 0;
  const server = await startTestApp({
    clock: { now: () => new Date(Date.now() + ahead) },
    env,
  });
  const { sql } = server.app;
  return {
    ...server,
    async pass(seconds) {
      ahead += seconds * 1000;
      await sql`UPDATE graphile_worker._private_jobs
        SET run_at = now() WHERE run_at <= ${server.app.clock.now()}`;
    },
  };
};

/** What follows from an act is done by jobs: asks until `check` gives something. */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(20);
  }
};

/** For assert.rejects: the library's own error with this status. */
export const refused = (status: number, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof MastoHttpError, String(error));
  assert.equal(error.statusCode, status, error.message);
  if (message) assert.match(error.message, message);
  return true;
};

const listenAs =
  (server: TestApp, accessToken: string): Someone["listen"] =>
  async (to) => {
    const streamingApiUrl = server.url.replace("http", "ws");
    const client = createStreamingAPIClient({ streamingApiUrl, accessToken, retry: false });
    await client.prepare();
    const events: mastodon.streaming.Event[] = [];
    const subscription = to(client);
    void (async () => {
      for await (const event of subscription) events.push(event);
    })();
    // Nobody says when a subscription begins: its message is sent, and is there in a moment.
    await sleep(200);
    return {
      events,
      heard: async (name, of = () => true) => {
        const seen = (event: mastodon.streaming.Event) => event.event === name && of(event.payload);
        const found = await eventually(`the event ${name}`, () => events.find(seen));
        return found.payload;
      },
      close: () => client.close(),
    };
  };

export const clientOf = (server: TestApp, accessToken?: string): mastodon.rest.Client =>
  createRestAPIClient({ url: server.url, ...(accessToken && { accessToken }) });

export const someone = async (server: TestApp, name: string): Promise<Someone> => {
  const person = await server.person(name);
  const { token } = person;
  return { ...person, rest: clientOf(server, token), listen: listenAs(server, token) };
};

export const idsOf = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

/** Every page of a paginator. */
export const pagesOf = async <T>(paginator: AsyncIterable<T[]>): Promise<T[][]> => {
  const pages: T[][] = [];
  for await (const page of paginator) pages.push(page);
  return pages;
};
