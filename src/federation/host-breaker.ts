// A circuit breaker for fetches that no person waits for: a host that failed repeatedly gets no requests
// for a moment. What people ask for is always tried. Deliveries have their own (delivery/host-run.ts).

import type { App } from "../platform/app.ts";
import { BudgetSpent, RemoteFault } from "./faults.ts";

/** After so many failures within OPEN_SECONDS of the first, the host counts as down until these end. */
const MAX_FAILURES = 5;
const OPEN_SECONDS = 60;

const failuresKey = (uri: string) => `fetch-failures:${new URL(uri).host}`;

export const isHostDown = async (app: App, uri: string): Promise<boolean> =>
  Number((await app.kv.get(failuresKey(uri))) ?? 0) >= MAX_FAILURES;

export const addHostFailure = async (app: App, uri: string): Promise<void> => {
  await app.kv.increment(failuresKey(uri), 1, OPEN_SECONDS);
};

/** Runs `work`, which sends requests to the host of `uri`; throws `unreachable` while that is down. */
export const withBreaker = async <T>(app: App, uri: string, work: () => Promise<T>): Promise<T> => {
  if (await isHostDown(app, uri)) {
    throw new RemoteFault("unreachable", `${new URL(uri).host} has not answered lately`);
  }
  try {
    const result = await work();
    await app.kv.delete(failuresKey(uri));
    return result;
  } catch (error) {
    const isFailure = error instanceof RemoteFault && !(error instanceof BudgetSpent);
    if (isFailure && error.kind === "unreachable") await addHostFailure(app, uri);
    throw error;
  }
};
