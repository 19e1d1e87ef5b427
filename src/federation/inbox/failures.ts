// Handles activities that failed: they are retried for about a day if the network or the database was the reason, and
// dropped if the activity itself was.

import type { App } from "../../platform/app.ts";
import { isLockTimeout, sqlState } from "../../platform/db/index.ts";
import { DomainError, isRefusal } from "../../platform/errors.ts";
import { faultOf } from "../../platform/health/faults.ts";
import { FetchFailed, FetchRefused } from "../../platform/fetch/errors.ts";
import type { Claimed } from "./batch.ts";
import type { Retry } from "./queries.ts";

/** Seconds until the next attempt, by the number of failures before; after the last the activity is given up. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/** Attempts after an error of our own code. */
const MAX_FAULTS = 4;

/** Whether the database cannot be used, or its operator cancelled the statement (class 57): each attempt would fail. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  faultOf(error) !== null || sqlState(error)?.startsWith("57") === true;

/**
 * Whether a later attempt may succeed: the network, a server that is down, a deadlock, a long wait, a lost connection.
 */
const isTransient = (error: unknown): boolean => {
  if (error instanceof FetchFailed) return error.reason === "network" || error.reason === "timeout";
  if (error instanceof DomainError) return !isRefusal(error);
  if (isDatabaseUnavailable(error) || isLockTimeout(error)) return true;
  return sqlState(error)?.startsWith("40") === true;
};

/** Whether values of the activity cannot be stored: data exceptions, and values too long for an index. */
const isUnstorable = (error: unknown): boolean => /^(?:22|54)/.test(sqlState(error) ?? "");

/** Whether the activity itself is the reason: it is refused, and our code has no error. */
const isAtFault = (error: unknown): boolean =>
  error instanceof DomainError ||
  error instanceof FetchFailed ||
  error instanceof FetchRefused ||
  isUnstorable(error);

/** Logs the failure in one line, since others choose how often it happens. Returns whether to retry. */
const shouldRetry = (
  app: App,
  { id: activity, actorUri: actor, attempts }: Claimed,
  error: unknown,
) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // The messages of the database quote values, so only its code is logged.
  const why = sqlState(error) ?? `${name}: ${message.slice(0, 300)}`;
  const entry = { activity, actor, attempts, why };
  app.log.debug({ err: error, activity }, "an activity failed");
  if (isTransient(error) && attempts < BACKOFF_SECONDS.length) {
    app.log.info(entry, "activity put off");
    return true;
  }
  if (isTransient(error) || isAtFault(error)) app.log.info(entry, "activity refused");
  else app.log.error(entry, "activity failed");
  return !isTransient(error) && !isAtFault(error) && attempts < MAX_FAULTS - 1;
};

/** The outcome of an activity: it leaves the queue, or is retried. */
export type Result = { done: string } | { retry: Retry };

/** Returns another attempt, or the end of the activity. */
export const resultOf = (app: App, claimed: Claimed, error: unknown): Result => {
  const { id, attempts } = claimed;
  if (!shouldRetry(app, claimed, error)) return { done: id };
  const retryAt = new Date(app.clock.now().getTime() + BACKOFF_SECONDS[attempts]! * 1000);
  return { retry: { id, retryAt } };
};
