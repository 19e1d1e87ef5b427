// Which tags statuses carry, for one status or many, here or from elsewhere.

import { hourly } from "../../platform/caches/hourly.ts";
import type { Db, Fragment } from "../../platform/db/index.ts";
import { deleteDaysBefore, deleteOtherUses, insertUses, taggingParts } from "./queries-write.ts";
import type { NewTag } from "./queries-write.ts";

export type { NewTag };

export type TaggedStatus = {
  statusId: string;
  accountId: string;
  visibility: string;
  /** When it was written, or edited: the day on which its tags count. */
  at: Date;
  /** Distinct by name. */
  tags: NewTag[];
};

const numbered = (tags: NewTag[][]) =>
  tags.flatMap((own, n) => own.map(({ name, display }) => ({ n, name, display })));

/** Part of the transaction that writes the statuses. One query, none where nothing is tagged. */
export const tagStatuses = async (db: Db, statuses: TaggedStatus[]): Promise<void> => {
  const tags = numbered(statuses.map((status) => status.tags));
  if (tags.length === 0) return;
  const rows = statuses.map(({ statusId: id, accountId, visibility, at }, n) => ({
    n,
    id,
    account_id: accountId,
    visibility,
    created_at: at,
  }));
  await insertUses(db, rows, tags);
};

/** Of an edited status: those that it no longer names go, new ones come. */
export const retagStatus = async (db: Db, status: TaggedStatus): Promise<void> => {
  await deleteOtherUses(
    db,
    status.statusId,
    status.tags.map((tag) => tag.name),
  );
  await tagStatuses(db, [status]);
};

/** What tagStatuses does, as parts of the statement that writes the statuses, `tags` by their places. */
export const tagging = (db: Db, tags: NewTag[][]): Fragment => taggingParts(db, numbered(tags));

/** Twice what histories tell of. */
const KEPT_MS = 14 * 24 * 60 * 60 * 1000;

/** Deletes old days, once an hour at most, by whichever new status comes along. */
export const pruneTagDays = hourly("pruning of tag days", async (app, now) => {
  await deleteDaysBefore(app.sql, new Date(now.getTime() - KEPT_MS));
});
