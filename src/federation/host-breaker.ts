// Hosts that did not answer our questions lately are not asked for a moment. What people here ask
// for themselves is always tried; deliveries have a breaker of their own (delivery/).

import type { App } from "../platform/app.ts";
import { RemoteFault } from "./faults.ts";

/** So many failures within OPEN_SECONDS of the first, and a host counts as away until they are over. */
const MAX_FAILURES = 5;
const OPEN_SECONDS = 60;

const failuresKey = (uri: string) => `fetch-failures:${new URL(uri).host}`;

export const isHostDown = async (app: App, uri: string): Promise<boolean> =>
  Number((await app.kv.get(failuresKey(uri))) ?? 0) >= MAX_FAILURES;

export const addHostFailure = async (app: App, uri: string): Promise<void> => {
  await app.kv.increment(failuresKey(uri), 1, OPEN_SECONDS);
};

/** Does what asks the host of `uri`; throws RemoteFault (unreachable) at once while it is away. */
export const withBreaker = async <T>(app: App, uri: string, work: () => Promise<T>): Promise<T> => {
  if (await isHostDown(app, uri)) {
    throw new RemoteFault("unreachable", `${new URL(uri).host} has not answered lately`);
  }
  try {
    const result = await work();
    await app.kv.delete(failuresKey(uri));
    return result;
  } catch (error) {
    if (error instanceof RemoteFault && error.kind === "unreachable") {
      await addHostFailure(app, uri);
    }
    throw error;
  }
};
