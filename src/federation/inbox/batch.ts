// Processes a batch of waiting activities in one transaction: they are judged together, written together and marked as
// done, so that a process that dies in between has changed nothing. Activities that need a fetch or a command of their
// own are claimed and returned to the caller.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { hostIn, parseRecord } from "../../platform/json/read.ts";
import { firstWithin } from "../../platform/text/cut.ts";
import { inTurns } from "../../platform/event-loop-turns.ts";
import { hostsAnswered } from "../delivery/wake.ts";
import { applyChanges } from "./apply.ts";
import type { Fetched } from "./facts.ts";
import { judgeAll, sort } from "./judge.ts";
import type { Entry, SortInput, Sorted } from "./judge.ts";
import { EVERYTHING, Subjects, subjectsOf } from "./order.ts";
import {
  claimMany,
  finishMany,
  lockBatches,
  postponeMany,
  selectBodies,
  selectInProgress,
  selectStillWaiting,
  selectWaiting,
} from "./queries.ts";
import type { WaitingRow } from "./queries.ts";
import { dropBodies, cachedBody } from "./store.ts";
import type { Run, Dependency } from "./decision.ts";

/** An activity that is being processed; `attempts` is the number of failures before. */
export type Claimed = { id: string; actorUri: string; attempts: number };
export type ToFetch = Claimed & { dependencies: Dependency[] };
export type ToRun = Claimed & { run: Run };
export type Failed = Claimed & { error: unknown };

export type Batch = {
  /** Activities that are done or postponed. */
  settled: string[];
  toFetch: ToFetch[];
  toRun: ToRun[];
  /** Activities that failed, to be settled one by one. */
  failed: Failed[];
  /** Id of the last activity read; null if there were no more. */
  last: string | null;
};

type BatchInput = SortInput & {
  /** What was fetched for the activities that are judged again, by their ids. */
  fetched: ReadonlyMap<string, Fetched>;
  /** Shards of the inbox that this worker processes. */
  shards: number[] | null;
  /** Restricts a repeated batch to these activities. */
  only?: string[];
};

const LIMIT = 400;
/** Bytes of the bodies of a batch, unless the first alone is larger; parsed they take several times as much. */
const MAX_BYTES = 4 * 1024 * 1024;
export const CLAIM_MS = 120_000;
/** Milliseconds until the next attempt where the lane for fetching is full. */
const POSTPONED_MS = 30_000;

const EMPTY: Batch = { settled: [], toFetch: [], toRun: [], failed: [], last: null };

/** Adds the bodies, cached ones where this process received them. */
const withBodies = async (app: App, tx: Tx, rows: WaitingRow[]): Promise<Entry[]> => {
  // The cache is read once, because entries may be evicted while other bodies are read.
  const cached = new Map(rows.map(({ id }) => [id, cachedBody(app, id)]));
  const missing = rows.filter(({ id }) => !cached.get(id)).map(({ id }) => id);
  const read = missing.length === 0 ? [] : await selectBodies(tx, missing);
  const texts = new Map(read.map(({ id, body }) => [id, body]));
  const entryOf = (row: WaitingRow): Entry => {
    const body = cached.get(row.id) ?? parseRecord(texts.get(row.id) ?? "");
    return { row, body, subjects: body ? subjectsOf(body) : [] };
  };
  return inTurns(rows, (row) => (cached.get(row.id) ? 0 : row.bytes), entryOf);
};

const uriOf = ({ row }: Entry): string => row.actor_uri;

/** Returns the activities that need not wait for one in progress, a skipped one or an earlier one of the batch. */
const inOrder = async (tx: Tx, entries: Entry[], input: BatchInput, now: Date) => {
  const ready = [...input.fetched.keys()];
  const before = new Subjects();
  const actors = [...new Set(entries.map(uriOf))];
  for (const { actor_uri, subjects } of await selectInProgress(tx, actors, ready, now)) {
    before.add(actor_uri, subjects);
  }
  const { skipped } = input.pass;
  return entries.filter((entry) => {
    const [uri, { subjects }] = [uriOf(entry), entry];
    // An activity that is judged again came before everything that was skipped because of it.
    const isAgain = input.fetched.has(entry.row.id);
    const waits = before.blocks(uri, subjects) || (!isAgain && skipped.blocks(uri, subjects));
    before.add(uri, subjects);
    if (waits) skipped.add(uri, subjects);
    return !waits;
  });
};

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

const write = async (app: App, tx: Tx, sorted: Sorted, now: Date): Promise<void> => {
  const { done, toFetch, toRun, postponed, failed } = sorted;
  const claims = [
    ...toFetch.map(({ entry }) => ({ id: entry.row.id, subjects: entry.subjects })),
    ...toRun.map(({ entry }) => ({ id: entry.row.id, subjects: [EVERYTHING] })),
    ...failed.map(({ entry }) => ({ id: entry.row.id, subjects: entry.subjects })),
  ];
  if (claims.length > 0) await claimMany(tx, app.process.id, claims, later(now, CLAIM_MS));
  if (postponed.length > 0) {
    const waiting = postponed.map(({ row, subjects }) => ({ id: row.id, subjects }));
    await postponeMany(tx, waiting, later(now, POSTPONED_MS));
  }
  await applyChanges(app, tx, sorted.changes);
  const ids = done.map(({ row }) => row.id);
  if (ids.length > 0) await finishMany(tx, ids);
};

const claimed = ({ row }: Entry): Claimed => ({
  id: row.id,
  actorUri: row.actor_uri,
  attempts: row.attempts,
});

const batchOf = (sorted: Sorted, last: string | null): Batch => ({
  settled: [...sorted.done, ...sorted.postponed].map(({ row }) => row.id),
  toFetch: sorted.toFetch.map(({ entry, dependencies }) => ({ ...claimed(entry), dependencies })),
  toRun: sorted.toRun.map(({ entry, run }) => ({ ...claimed(entry), run })),
  failed: sorted.failed.map(({ entry, error }) => ({ ...claimed(entry), error })),
  last,
});

const waitingRows = (tx: Tx, { pass, fetched, shards, only }: BatchInput, now: Date) => {
  const ready = [...fetched.keys()];
  return only
    ? selectStillWaiting(tx, only)
    : selectWaiting(tx, { now, ...pass, ready, shards, limit: LIMIT });
};

const larger = (a: string, b: string): string => (BigInt(a) > BigInt(b) ? a : b);

/** Returns the first rows that make a batch, and the id of the last one if there are more. */
const choose = (all: WaitingRow[], { pass }: BatchInput) => {
  const fitting = firstWithin(all, MAX_BYTES, (row) => row.bytes);
  const rows = fitting.length > 0 ? fitting : all.slice(0, 1);
  const isAll = rows.length === all.length && all.length < LIMIT;
  // Activities that are judged again may have lower ids than this pass has read.
  return { rows, last: isAll ? null : larger(rows.at(-1)!.id, pass.after) };
};

/** The rows of a batch, available even when its transaction failed. */
export type Attempt = { rows: WaitingRow[] };

/** Processes the next batch. */
export const workBatch = async (app: App, input: BatchInput, attempt: Attempt): Promise<Batch> => {
  const batch = await app.sql.begin(async (tx) => {
    await lockBatches(tx, input.shards);
    const now = app.clock.now();
    const waiting = [...(await waitingRows(tx, input, now))];
    if (waiting.length === 0) return EMPTY;
    const { rows, last } = choose(waiting, input);
    attempt.rows = rows;
    const entries = await inOrder(tx, await withBodies(app, tx, rows), input, now);
    const sorted = sort(await judgeAll(app, tx, entries, input.fetched), input);
    await write(app, tx, sorted, now);
    return batchOf(sorted, last);
  });
  dropBodies(app, [...batch.settled, ...batch.toRun.map(({ id }) => id)]);
  const senders = new Set(attempt.rows.flatMap((row) => hostIn(row.actor_uri) ?? []));
  await hostsAnswered(app, [...senders]);
  return batch;
};
