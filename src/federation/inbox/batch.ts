// A batch of waiting activities in one transaction: judged together, written together, and marked as
// done with it, so that a process that dies in between has done nothing. What has to be fetched or
// run first is claimed, and given back to the caller.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { parseRecord } from "../../platform/json/read.ts";
import { applyActs } from "./apply.ts";
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
  selectHolding,
  selectStillWaiting,
  selectWaiting,
} from "./queries.ts";
import type { WaitingRow } from "./queries.ts";
import { dropBodies, cachedBody } from "./store.ts";
import type { Run, Want } from "./verdict.ts";

export type Claimed = { id: string; actorUri: string; attempts: number };
export type ToFetch = Claimed & { wants: Want[] };
export type ToRun = Claimed & { run: Run };

export type Batch = {
  /** Those that are done, or put off. */
  settled: string[];
  toFetch: ToFetch[];
  toRun: ToRun[];
  /** The last that was looked at; null: all that waits has been. */
  last: string | null;
};

export type BatchInput = SortInput & {
  /** By activities: what was fetched for those that are to be judged again. */
  fetched: ReadonlyMap<string, Fetched>;
  /** These alone, of a batch that failed. */
  only?: string[];
};

const LIMIT = 400;
const CLAIM_MS = 120_000;
/** When the lane for fetching is full. */
const POSTPONED_MS = 30_000;

const EMPTY: Batch = { settled: [], toFetch: [], toRun: [], last: null };

/** The bodies, from memory where they were taken in by this process. */
const withBodies = async (app: App, tx: Tx, rows: WaitingRow[]): Promise<Entry[]> => {
  // Once: what is cached now may be evicted while the others are read.
  const cached = new Map(rows.map(({ id }) => [id, cachedBody(app, id)]));
  const missing = rows.filter(({ id }) => !cached.get(id)).map(({ id }) => id);
  const read = missing.length === 0 ? [] : await selectBodies(tx, missing);
  const texts = new Map(read.map(({ id, body }) => [id, body]));
  return rows.map((row) => {
    const body = cached.get(row.id) ?? parseRecord(texts.get(row.id) ?? "");
    return { row, body, subjects: body ? subjectsOf(body) : [] };
  });
};

const uriOf = ({ row }: Entry): string => row.actor_uri;

/** Those that need not wait for others: in progress, passed over, or in the batch before them. */
const inOrder = async (tx: Tx, entries: Entry[], input: BatchInput, now: Date) => {
  const ready = [...input.fetched.keys()];
  const before = new Subjects();
  const actors = [...new Set(entries.map(uriOf))];
  for (const { actor_uri, subjects } of await selectHolding(tx, actors, ready, now)) {
    before.add(actor_uri, subjects);
  }
  const { passedOver } = input.pass;
  return entries.filter((entry) => {
    const [uri, { subjects }] = [uriOf(entry), entry];
    // What is judged again came before all that was passed over because of it.
    const isAgain = input.fetched.has(entry.row.id);
    const waits = before.holdUp(uri, subjects) || (!isAgain && passedOver.holdUp(uri, subjects));
    before.add(uri, subjects);
    if (waits) passedOver.add(uri, subjects);
    return !waits;
  });
};

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

const write = async (app: App, tx: Tx, sorted: Sorted, now: Date): Promise<void> => {
  const { done, toFetch, toRun, postponed } = sorted;
  const claims = [
    ...toFetch.map(({ entry }) => ({ id: entry.row.id, subjects: entry.subjects })),
    ...toRun.map(({ entry }) => ({ id: entry.row.id, subjects: [EVERYTHING] })),
  ];
  if (claims.length > 0) await claimMany(tx, claims, later(now, CLAIM_MS));
  if (postponed.length > 0) {
    const waiting = postponed.map(({ row, subjects }) => ({ id: row.id, subjects }));
    await postponeMany(tx, waiting, later(now, POSTPONED_MS));
  }
  await applyActs(app, tx, sorted.acts);
  const ids = done.map(({ row }) => row.id);
  if (ids.length > 0) await finishMany(tx, ids, now);
};

const claimed = ({ row }: Entry): Claimed => ({
  id: row.id,
  actorUri: row.actor_uri,
  attempts: row.attempts,
});

const batchOf = (rows: WaitingRow[], { done, toFetch, toRun, postponed }: Sorted): Batch => ({
  settled: [...done, ...postponed].map(({ row }) => row.id),
  toFetch: toFetch.map(({ entry, wants }) => ({ ...claimed(entry), wants })),
  toRun: toRun.map(({ entry, run }) => ({ ...claimed(entry), run })),
  last: rows.length < LIMIT ? null : rows.at(-1)!.id,
});

const waitingRows = (tx: Tx, { pass, fetched, only }: BatchInput, now: Date) =>
  only
    ? selectStillWaiting(tx, only)
    : selectWaiting(tx, { now, after: pass.after, ready: [...fetched.keys()], limit: LIMIT });

/** Which activities a batch was about, also when its transaction failed. */
export type Attempt = { rows: WaitingRow[] };

/** Does the next batch. */
export const workBatch = async (app: App, input: BatchInput, attempt: Attempt): Promise<Batch> => {
  const batch = await app.sql.begin(async (tx) => {
    await lockBatches(tx);
    const now = app.clock.now();
    const rows = [...(await waitingRows(tx, input, now))];
    attempt.rows = rows;
    if (rows.length === 0) return EMPTY;
    const entries = await inOrder(tx, await withBodies(app, tx, rows), input, now);
    const sorted = sort(await judgeAll(app, tx, entries, input.fetched), input);
    await write(app, tx, sorted, now);
    return batchOf(rows, sorted);
  });
  dropBodies(app, [...batch.settled, ...batch.toRun.map(({ id }) => id)]);
  return batch;
};
