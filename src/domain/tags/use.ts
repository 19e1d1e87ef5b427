// The tags of statuses, one or many, local or remote.

import type { App } from "../../platform/app.ts";
import type { Db, Fragment } from "../../platform/db/index.ts";
import { deleteDaysBefore, deleteOtherUses, insertUses, taggingParts } from "./queries-write.ts";
import type { NewTag } from "./queries-write.ts";

export type { NewTag };

export type TaggedStatus = {
  statusId: string;
  accountId: string;
  visibility: string;
  /** When it was written or edited: the day on which its tags count. */
  at: Date;
  /** Distinct by name. */
  tags: NewTag[];
};

const numbered = (tags: NewTag[][]) =>
  tags.flatMap((own, n) => own.map(({ name, display }) => ({ n, name, display })));

/** Part of the transaction that writes the statuses. One query; none where there are no tags. */
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

/** The tags of an edited status: old ones are removed, new ones added. */
export const retagStatus = async (db: Db, status: TaggedStatus): Promise<void> => {
  await deleteOtherUses(
    db,
    status.statusId,
    status.tags.map((tag) => tag.name),
  );
  await tagStatuses(db, [status]);
};

/** What tagStatuses does, as parts of the statement that writes the statuses; `tags` by their positions. */
export const tagging = (db: Db, tags: NewTag[][]): Fragment => taggingParts(db, numbered(tags));

const HOUR_MS = 60 * 60 * 1000;
/** Twice the length of a history. */
const KEPT_MS = 14 * 24 * HOUR_MS;
const prunedAt = new WeakMap<App, number>();

/** Deletes old days, once an hour at most, when a new status is processed. */
export const pruneTagDays = async (app: App): Promise<void> => {
  const now = app.clock.now().getTime();
  if (now - (prunedAt.get(app) ?? 0) < HOUR_MS) return;
  prunedAt.set(app, now);
  await deleteDaysBefore(app.sql, new Date(now - KEPT_MS));
};
