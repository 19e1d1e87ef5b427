// Working through what came in: batches of what is common, and by itself whatever needs another
// server or failed before. A worker in the same process is woken by each request; the job
// `activity.received` does the same where there is none. Of one actor one thing at a time is in hand,
// by a claim on the row that ends by itself, so that no connection is held while a stranger's server
// is asked. What fails for now waits for its next try and lets the later ones pass.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../platform/app.ts";
import { sqlState } from "../platform/db/index.ts";
import { HttpError } from "../platform/errors.ts";
import { FetchFailed, FetchRefused } from "../platform/fetch/errors.ts";
import { perform } from "./inbox.ts";
import { claimFailed, workBatch } from "./inbox/batch.ts";
import type { Attempt, Batch, InHand } from "./inbox/batch.ts";
import { pruneInbox } from "./inbox/prune.ts";
import { retryIncoming } from "./inbox/queries.ts";
import { finishMany, selectLastClaim } from "./inbox/queries-batch.ts";
import "./events.ts";

/** So many at once may wait for other servers. */
const MAX_IN_HAND = 50;
/** Seconds until the next try, by how many there were; after the last the activity is given up. */
const BACKOFF_SECONDS = [10, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600];
/** Before each try to write how it went. */
const SETTLE_AFTER_MS = [0, 200, 1000, 3000];
/** A fault of ours (a bug) is not tried for a day. */
const MAX_FAULTS = 4;

/** Trying again may help: the network, a server that is away, a deadlock, a lost connection. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof FetchFailed) return error.reason === "network" || error.reason === "timeout";
  if (error instanceof HttpError) return error.status >= 500 || error.status === 429;
  const state = sqlState(error) ?? "";
  const code = String((error as { code?: unknown } | null)?.code ?? "");
  return /^(?:40|53|57|08)/.test(state) || /^CONNECTION_|^CONNECT_/.test(code);
};

/** What the activity itself brought about: it is refused, and no fault of ours. */
const isRefusal = (error: unknown): boolean =>
  error instanceof HttpError || error instanceof FetchFailed || error instanceof FetchRefused;

const later = async (app: App, row: InHand): Promise<void> => {
  const seconds = BACKOFF_SECONDS[row.attempts - 1]!;
  const runAt = new Date(app.clock.now().getTime() + seconds * 1000);
  await app.sql.begin(async (tx) => {
    await retryIncoming(tx, row.id, runAt);
    await app.jobs.add(tx, "activity.received", {}, { runAt, key: `inbox:${row.id}` });
  });
};

/** True when the activity is to be tried again. */
const fails = (app: App, row: InHand, error: unknown): boolean => {
  const { id: activity, actorUri: actor, attempts } = row;
  const entry = { err: error, activity, actor, attempts };
  if (isTransient(error) && attempts <= BACKOFF_SECONDS.length) {
    app.log.info(entry, "activity put off");
    return true;
  }
  if (isTransient(error) || isRefusal(error)) app.log.info(entry, "activity refused");
  else app.log.error(entry, "activity failed");
  return !isTransient(error) && !isRefusal(error) && attempts < MAX_FAULTS;
};

/**
 * Writes how it went. Where that fails (the database is away for a moment) the actor's next
 * activities wait behind the claim until it ends by itself, after minutes: so it is tried again.
 */
const settle = async (app: App, row: InHand, write: () => Promise<unknown>): Promise<void> => {
  for (const ms of SETTLE_AFTER_MS) {
    if (ms > 0) await sleep(ms);
    try {
      return void (await write());
    } catch (error) {
      app.log.warn({ err: error, activity: row.id }, "an activity has to wait");
    }
  }
};

const work = async (app: App, row: InHand): Promise<void> => {
  try {
    if (row.body) await perform(app, { actorUri: row.actorUri, body: row.body });
  } catch (error) {
    if (fails(app, row, error)) return settle(app, row, () => later(app, row));
  }
  await settle(app, row, () => finishMany(app.sql, [row.id], app.clock.now()));
};

/** The next batch; one that fails is done again, each activity by itself. */
const next = async (app: App): Promise<Batch> => {
  const attempt: Attempt = { entries: [] };
  try {
    return await workBatch(app, attempt);
  } catch (error) {
    if (attempt.entries.length === 0) throw error;
    app.log.warn({ err: error, count: attempt.entries.length }, "a batch of activities failed");
    return claimFailed(app, attempt);
  }
};

/** What one drain has in hand, waiting for other servers or tried alone. */
export type Hands = Set<Promise<void>>;

export type Drain = {
  /** A smaller batch than this ends it: the next ones had better gather. */
  least: number;
  /** When something of the hands is done. */
  done?: () => unknown;
};

/**
 * Works on what is due, until little is or its hands are full. What takes time stays in `hands`
 * after it: what the same actor sent behind it has its turn when that is done. True when more may be
 * due already.
 */
export const drainInbox = async (app: App, hands: Hands, drain: Drain): Promise<boolean> => {
  await pruneInbox(app);
  while (hands.size < MAX_IN_HAND) {
    const { count, slow } = await next(app);
    for (const row of slow) {
      const working = work(app, row).finally(() => {
        hands.delete(working);
        drain.done?.();
      });
      hands.add(working);
    }
    if (count < drain.least) return count > 0;
  }
  return false;
};

/** Somebody else has something in hand; should they die, this wakes us when their claim ends. */
const watchOthers = async (app: App): Promise<void> => {
  const runAt = await selectLastClaim(app.sql, app.clock.now());
  if (runAt) await app.jobs.add(app.sql, "activity.received", {}, { runAt, key: "inbox:watch" });
};

/** The handler of `activity.received`. */
export const processInbox = async (app: App): Promise<void> => {
  const hands: Hands = new Set();
  let finished: boolean;
  do {
    await Promise.race(hands.size > 0 ? hands : [null]);
    finished = false;
    await drainInbox(app, hands, { least: 1, done: () => (finished = true) });
    // What ended meanwhile may have kept others waiting that the last look did not find.
  } while (finished || hands.size > 0);
  await watchOthers(app);
};
