// What is deleted by age: idempotency keys, tombstones, and, if the administrator wants it, remote statuses that nobody
// here touched. And counts: taken from other servers, and counted again for an administrator who does not believe one.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { idempotentSince } from "./idempotency.ts";
import type { RemoteCounts } from "./parse-note.ts";
import {
  advancePass,
  deleteIdempotencyBefore,
  deleteTombstonesBefore,
  endPass,
  lockPass,
  lockStatuses,
  selectForDeletion,
  selectSlice,
  selectUnreferenced,
  selectUntouched,
  startPass,
} from "./queries-remove.ts";
import {
  countCounted,
  lockAccountCounts,
  lockStatusCounts,
  raiseCounts,
  recountAccounts,
  recountStatuses,
} from "./queries-counts.ts";
import { deleteCounted } from "./remove.ts";

/** A deleted status that arrives again so much later is not at its origin any more, and is not fetched. */
const TOMBSTONE_DAYS = 90;

export const deleteOldIdempotencyKeys: DeleteSlice = (app) =>
  deleteIdempotencyBefore(app.sql, idempotentSince(app));

export const deleteOldTombstones: DeleteSlice = (app, now) =>
  deleteTombstonesBefore(app.sql, addDays(now, -TOMBSTONE_DAYS));

/** Those of the ids that nothing which stays refers to. Answers are newer than what they answer, mostly. */
const unneeded = async (tx: Db, ids: string[]): Promise<string[]> => {
  let left = await selectUntouched(tx, ids);
  while (left.length > 0) {
    const fewer = await selectUnreferenced(tx, left);
    if (fewer.length === left.length) break;
    left = fewer;
  }
  return left;
};

/** Judged twice: only those that are likely to go are locked, and nobody can refer to these meanwhile. */
const deleteUnneeded = async (tx: Tx, ids: string[]): Promise<number> => {
  const likely = await unneeded(tx, ids);
  if (likely.length === 0) return 0;
  const gone = await unneeded(tx, await lockStatuses(tx, likely));
  // Without tombstones: they are still at their origin, and may come again.
  if (gone.length > 0) await deleteCounted(tx, [...(await selectForDeletion(tx, gone))], []);
  return gone.length;
};

/** `count`: how many of a slice went, or would go. */
type Slice = { count: number; isMore: boolean };

const remoteOf = (rows: readonly { id: string; local: boolean }[]): string[] =>
  rows.filter(({ local }) => !local).map(({ id }) => id);

const deleteNext = async (tx: Tx, newest: Date): Promise<Slice> => {
  await startPass(tx, idAt(newest));
  const before = await lockPass(tx);
  if (before === null) return { count: 0, isMore: false };
  const rows = await selectSlice(tx, before);
  const last = rows.at(-1);
  const count = await deleteUnneeded(tx, remoteOf(rows));
  if (last) await advancePass(tx, last.id);
  else await endPass(tx);
  return { count, isMore: last !== undefined };
};

/**
 * A pass goes from newer to older statuses, answers before what they answer, and remembers in the database
 * how far it got. What stays is looked at again by the next pass.
 */
export const deleteUntouchedStatuses: DeleteSlice = async (app, now) => {
  const { remoteStatusDays } = app.config.retention;
  if (remoteStatusDays === 0) return false;
  return (await deleteUntouchedBefore(app, addDays(now, -remoteStatusDays))).isMore;
};

/** A slice of those that are older. */
export const deleteUntouchedBefore = (app: App, newest: Date): Promise<Slice> =>
  app.sql.begin((tx) => deleteNext(tx, newest));

/** The slices that a pass would go through, without one. Those that only others hold back are not among them. */
export const countUntouchedBefore = (app: App, newest: Date): (() => Promise<Slice>) => {
  let before = idAt(newest);
  return async () => {
    const rows = await selectSlice(app.sql, before);
    before = rows.at(-1)?.id ?? before;
    return { count: (await unneeded(app.sql, remoteOf(rows))).length, isMore: rows.length > 0 };
  };
};

const SLICE = 200;

export const COUNTED = ["accounts", "statuses"] as const;
export type Counted = (typeof COUNTED)[number];

const STATEMENTS = {
  accounts: { lock: lockAccountCounts, recount: recountAccounts },
  statuses: { lock: lockStatusCounts, recount: recountStatuses },
} as const;

/** `last`: where the next slice goes on; null: nothing is left. */
type Recounted = { looked: number; wrong: number; last: string | null };

class Undone extends Error {}

/** In a dry run what was found is taken back. */
export const recountSlice = async (
  app: App,
  what: Counted,
  after: string,
  { dryRun }: { dryRun: boolean },
): Promise<Recounted> => {
  const { lock, recount } = STATEMENTS[what];
  let result: Recounted = { looked: 0, wrong: 0, last: null };
  try {
    await app.sql.begin(async (tx) => {
      const ids = await lock(tx, after, SLICE);
      const wrong = ids.length > 0 ? await recount(tx, ids) : 0;
      result = { looked: ids.length, wrong, last: ids.length < SLICE ? null : ids.at(-1)! };
      if (dryRun) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return result;
};

/** How many there are to look at. */
export const countedOf = async (app: App, what: Counted): Promise<number> =>
  (await countCounted(app.sql))[what];

/** Never below what is stored here. Its own server counts what happens here too. */
export const setRemoteCounts = async (
  app: App,
  id: string,
  counts: RemoteCounts,
): Promise<void> => {
  if (Object.values(counts).some((count) => count !== null)) await raiseCounts(app.sql, id, counts);
};
