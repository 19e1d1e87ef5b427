// What to do about an activity that could not be worked on: tried again later, for half a day where
// the network or the database failed, refused where the activity itself is the reason.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../platform/app.ts";
import { sqlState } from "../../platform/db/index.ts";
import { HttpError } from "../../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../../platform/fetch/errors.ts";
import { finishMany, retryIncoming } from "./queries.ts";

/** Seconds until the next try, by how many failed before; after the last it is given up. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/** Before each try to write how it went. */
const SETTLE_AFTER_MS = [0, 200, 1000, 3000];
/** A fault of ours (a bug) is not tried for a day. */
const MAX_FAULTS = 4;

/** The database is away, or cannot take anything for now: whatever is tried fails. */
export const isDatabaseAway = (error: unknown): boolean => {
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return /^(?:53|57|08)/.test(sqlState(error) ?? "") || /^CONNECTION_|^CONNECT_/.test(code);
};

/** Trying again may help: the network, a server that is away, a deadlock, a lost connection. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof FetchFailed) return error.reason === "network" || error.reason === "timeout";
  if (error instanceof HttpError) return error.status >= 500 || error.status === 429;
  return isDatabaseAway(error) || sqlState(error)?.startsWith("40") === true;
};

/** What the activity itself brought about: it is refused, and no fault of ours. */
const isRefusal = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof FetchFailed || error instanceof FetchRefused;

/** An activity, by its row; `attempts` that failed before. */
export type Tried = { id: string; actorUri: string; attempts: number };

const later = async (app: App, { id, attempts }: Tried): Promise<void> => {
  const runAt = new Date(app.clock.now().getTime() + BACKOFF_SECONDS[attempts]! * 1000);
  await app.sql.begin(async (tx) => {
    await retryIncoming(tx, id, runAt);
    await app.jobs.add(tx, "activity.received", {}, { runAt, key: `inbox:${id}` });
  });
};

/** True when the activity is to be tried again. */
const mayHelp = (app: App, { id: activity, actorUri: actor, attempts }: Tried, error: unknown) => {
  const entry = { err: error, activity, actor, attempts };
  if (isTransient(error) && attempts < BACKOFF_SECONDS.length) {
    app.log.info(entry, "activity put off");
    return true;
  }
  if (isTransient(error) || isRefusal(error)) app.log.info(entry, "activity refused");
  else app.log.error(entry, "activity failed");
  return !isTransient(error) && !isRefusal(error) && attempts < MAX_FAULTS - 1;
};

/**
 * Writes how it went. Where that fails (the database is away for a moment) what waits for the
 * activity waits until its claim ends by itself, after minutes: so it is tried again.
 */
const settle = async (app: App, { id }: Tried, write: () => Promise<unknown>): Promise<void> => {
  for (const ms of SETTLE_AFTER_MS) {
    if (ms > 0) await sleep(ms);
    try {
      return void (await write());
    } catch (error) {
      app.log.warn({ err: error, activity: id }, "an activity has to wait");
    }
  }
};

export const settleDone = (app: App, one: Tried): Promise<void> =>
  settle(app, one, () => finishMany(app.sql, [one.id], app.clock.now()));

/** Puts it off, or gives it up. */
export const settleFailed = (app: App, one: Tried, error: unknown): Promise<void> =>
  mayHelp(app, one, error) ? settle(app, one, () => later(app, one)) : settleDone(app, one);
