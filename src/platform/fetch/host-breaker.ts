// A circuit breaker for fetches that no person waits for: hosts that failed repeatedly get no requests for a moment.
// Deliveries have their own (federation/delivery/host-run.ts).

import type { App } from "../app.ts";

/** Failures within OPEN_SECONDS of the first, after which the host counts as down until these seconds end. */
const MAX_FAILURES = 5;
const OPEN_SECONDS = 60;

const failuresKey = (uri: string) => `fetch-failures:${new URL(uri).host}`;

export const isHostDown = async (app: App, uri: string): Promise<boolean> =>
  Number((await app.kv.get(failuresKey(uri))) ?? 0) >= MAX_FAILURES;

export const addHostFailure = async (app: App, uri: string): Promise<void> => {
  await app.kv.increment(failuresKey(uri), 1, OPEN_SECONDS);
};

export const forgetHostFailures = (app: App, uri: string): Promise<void> =>
  app.kv.delete(failuresKey(uri));
