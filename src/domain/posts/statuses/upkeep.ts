// Deletes by age idempotency keys, tombstones, and, if the administrator wants it, remote statuses that nobody here was
// involved with. Also sets counts of other servers.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { idempotentSince } from "./idempotency.ts";
import type { RemoteCounts } from "./parse-note.ts";
import {
  advancePass,
  deleteIdempotencyBefore,
  endPass,
  lockPass,
  lockStatuses,
  selectForDeletion,
  selectSlice,
  selectUnreferenced,
  selectUntouched,
  startPass,
} from "./queries-remove.ts";
import { raiseCounts } from "./queries-counts.ts";
import { deleteCounted } from "./remove.ts";

export const deleteOldIdempotencyKeys: DeleteSlice = (app) =>
  deleteIdempotencyBefore(app.sql, idempotentSince(app));

/** Returns those of the ids that no remaining status refers to. Replies are mostly newer than their parents. */
const unneeded = async (tx: Db, ids: string[]): Promise<string[]> => {
  let left = await selectUntouched(tx, ids);
  while (left.length > 0) {
    const fewer = await selectUnreferenced(tx, left);
    if (fewer.length === left.length) break;
    left = fewer;
  }
  return left;
};

/** Judges twice: only likely candidates are locked, and nobody can refer to these meanwhile. */
const deleteUnneeded = async (tx: Tx, ids: string[]): Promise<number> => {
  const likely = await unneeded(tx, ids);
  if (likely.length === 0) return 0;
  const gone = await unneeded(tx, await lockStatuses(tx, likely));
  // There are no tombstones: they still exist at their origin, and may come again.
  if (gone.length > 0) await deleteCounted(tx, [...(await selectForDeletion(tx, gone))], []);
  return gone.length;
};

/** `count` is how many of a slice were deleted, or would be. */
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
 * Deletes in a pass from newer to older statuses, replies before their parents, and remembers its position in the
 * database. Statuses that stay are looked at again by the next pass.
 */
export const deleteUntouchedStatuses: DeleteSlice = async (app, now) => {
  const { remoteStatusDays } = app.config.retention;
  if (remoteStatusDays === 0) return false;
  return (await deleteUntouchedBefore(app, addDays(now, -remoteStatusDays))).isMore;
};

/** Deletes a slice of older statuses. */
export const deleteUntouchedBefore = (app: App, newest: Date): Promise<Slice> =>
  app.sql.begin((tx) => deleteNext(tx, newest));

/** Counts the slices that a pass would go through. Statuses that only other deleted ones refer to are not counted. */
export const countUntouchedBefore = (app: App, newest: Date): (() => Promise<Slice>) => {
  let before = idAt(newest);
  return async () => {
    const rows = await selectSlice(app.sql, before);
    before = rows.at(-1)?.id ?? before;
    return { count: (await unneeded(app.sql, remoteOf(rows))).length, isMore: rows.length > 0 };
  };
};

/** Keeps counts at least at what is stored here: the status's own server counts that too. */
export const setRemoteCounts = async (
  app: App,
  id: string,
  counts: RemoteCounts,
): Promise<void> => {
  if (Object.values(counts).some((count) => count !== null)) await raiseCounts(app.sql, id, counts);
};
