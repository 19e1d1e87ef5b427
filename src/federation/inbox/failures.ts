// What happens to an activity that failed: it is tried again for about a day where the network or the
// database was the reason, and dropped where the activity itself was.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../platform/app.ts";
import { sqlState } from "../../platform/db/index.ts";
import { DomainError, isRefusal } from "../../platform/errors.ts";
import { faultOf } from "../../platform/health/faults.ts";
import { FetchFailed, FetchRefused } from "../../platform/fetch/errors.ts";
import type { Claimed } from "./batch.ts";
import { finishMany, retryIncoming } from "./queries.ts";

/** Seconds until the next try, by how many failed before; after the last it is given up. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/** Waits before each attempt to write the result. */
const SETTLE_AFTER_MS = [0, 200, 1000, 3000];
/** An error of our own code is tried fewer times. */
const MAX_FAULTS = 4;

/** The database cannot be used, or its operator cancelled the statement (class 57): each attempt would fail. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  faultOf(error) !== null || sqlState(error)?.startsWith("57") === true;

/** A later attempt may succeed: the network, a server that is down, a deadlock, a lost connection. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof FetchFailed) return error.reason === "network" || error.reason === "timeout";
  if (error instanceof DomainError) return !isRefusal(error);
  return isDatabaseUnavailable(error) || sqlState(error)?.startsWith("40") === true;
};

/** Values that cannot be stored, of the activity: data exceptions, and what is too long for an index. */
const isUnstorable = (error: unknown): boolean => /^(?:22|54)/.test(sqlState(error) ?? "");

/** The activity itself is the reason: it is refused, and our code has no error. */
const isAtFault = (error: unknown): boolean =>
  error instanceof DomainError ||
  error instanceof FetchFailed ||
  error instanceof FetchRefused ||
  isUnstorable(error);

const retryLater = async (app: App, { id, attempts }: Claimed): Promise<void> => {
  const runAt = new Date(app.clock.now().getTime() + BACKOFF_SECONDS[attempts]! * 1000);
  await app.sql.begin(async (tx) => {
    await retryIncoming(tx, id, runAt);
    await app.jobs.add(tx, "activity.received", {}, { runAt, key: `inbox:${id}` });
  });
};

/** Logs the failure in one line: others choose how often it happens. True: it is to be tried again. */
const shouldRetry = (
  app: App,
  { id: activity, actorUri: actor, attempts }: Claimed,
  error: unknown,
) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  // The messages of the database quote values.
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

/**
 * Writes the result, with several attempts: without it, the activities that wait for this one would
 * wait until its claim expires, which takes minutes.
 */
const settle = async (app: App, { id }: Claimed, write: () => Promise<unknown>): Promise<void> => {
  for (const ms of SETTLE_AFTER_MS) {
    if (ms > 0) await sleep(ms);
    try {
      return void (await write());
    } catch (error) {
      app.log.warn({ err: error, activity: id }, "the result of an activity could not be written");
    }
  }
};

export const settleDone = (app: App, one: Claimed): Promise<void> =>
  settle(app, one, () => finishMany(app.sql, [one.id]));

/** Schedules another attempt, or gives the activity up. */
export const settleFailed = (app: App, one: Claimed, error: unknown): Promise<void> =>
  shouldRetry(app, one, error)
    ? settle(app, one, () => retryLater(app, one))
    : settleDone(app, one);
