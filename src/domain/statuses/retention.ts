// What is deleted by age: idempotency keys, tombstones, and, if the administrator wants it, remote statuses
// that nobody here touched.

import type { App } from "../../platform/app.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { addDays, idAt } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { idempotentSince } from "./create.ts";
import {
  advancePass,
  deleteIdempotencyBefore,
  deleteTombstonesBefore,
  endPass,
  lockPass,
  lockStatuses,
  selectSlice,
  selectUnreferenced,
  selectUntouched,
  startPass,
} from "./queries-retention.ts";
import { deleteCounted } from "./remove.ts";
import { selectForDeletion } from "./queries-remove.ts";

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
export type Slice = { count: number; isMore: boolean };

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
