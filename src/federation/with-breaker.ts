// Applies the circuit breaker (platform/fetch/host-breaker.ts) to fetches of federation. What people ask for is always
// tried.

import type { App } from "../platform/app.ts";
import { addHostFailure, forgetHostFailures, isHostDown } from "../platform/fetch/host-breaker.ts";
import { BudgetSpent, RemoteFault } from "./faults.ts";

/** Runs `work`, which sends requests to the host of `uri`; throws `unreachable` while that is down. */
export const withBreaker = async <T>(app: App, uri: string, work: () => Promise<T>): Promise<T> => {
  if (await isHostDown(app, uri)) {
    throw new RemoteFault("unreachable", `${new URL(uri).host} has not answered lately`);
  }
  try {
    const result = await work();
    await forgetHostFailures(app, uri);
    return result;
  } catch (error) {
    const isFailure = error instanceof RemoteFault && !(error instanceof BudgetSpent);
    if (isFailure && error.kind === "unreachable") await addHostFailure(app, uri);
    throw error;
  }
};
