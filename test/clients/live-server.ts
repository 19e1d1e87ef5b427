// Helpers of the tests with the client library masto: a server with its worker and caches on, people with clients,
// waiting for jobs, listening to a stream.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createRestAPIClient, createStreamingAPIClient, MastoHttpError } from "masto";
import type { mastodon } from "masto";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";

const TIMEOUT_MS = 10_000;

export type Someone = Person & {
  rest: mastodon.rest.Client;
  /** Opens a stream of this person and collects its events. */
  listen(to: (streaming: mastodon.streaming.Client) => Subscription): Promise<Listener>;
};

type Subscription = AsyncIterable<mastodon.streaming.Event>;

export type Listener = {
  events: mastodon.streaming.Event[];
  /** Waits for and returns the payload of the first event of this name for which `of` is true. */
  received(name: string, of?: (payload: any) => boolean): Promise<any>;
  close(): void;
};

export type LiveServer = TestApp & {
  /** Advances the server's clock; jobs that are due by then can run. */
  advanceClock(seconds: number): Promise<void>;
};

/** Starts a server whose clock can be advanced. */
export const startLiveServer = async (env: Record<string, string> = {}): Promise<LiveServer> => {
  let ahead = 0;
  const server = await startTestApp({
    clock: { now: () => new Date(Date.now() + ahead) },
    env,
  });
  const { sql } = server.app;
  return {
    ...server,
    async advanceClock(seconds) {
      ahead += seconds * 1000;
      await sql`UPDATE graphile_worker._private_jobs
        SET run_at = now() WHERE run_at <= ${server.app.clock.now()}`;
    },
  };
};

/** Polls until `check` returns something: effects of an action come later, by jobs. */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
): Promise<T> => {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(20);
  }
};

/** Returns a check for assert.rejects: the library's error with this status. */
export const refused = (status: number, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof MastoHttpError, String(error));
  assert.equal(error.statusCode, status, error.message);
  if (message) assert.match(error.message, message);
  return true;
};

export const listenAs =
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
    // The library does not say when a subscription is active: its message arrives in a moment.
    await sleep(200);
    return {
      events,
      received: async (name, of = () => true) => {
        const seen = (event: mastodon.streaming.Event) => event.event === name && of(event.payload);
        const event = await eventually(`the event ${name}`, () => events.find(seen));
        return event.payload;
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

/** Returns every page of a paginator. */
export const pagesOf = async <T>(paginator: AsyncIterable<T[]>): Promise<T[][]> => {
  const pages: T[][] = [];
  for await (const page of paginator) pages.push(page);
  return pages;
};
