// Deletes statuses, local or remote, one or many, with their reblogs; tombstones remember the URIs. Also deletes all
// that an account wrote and did, before the account itself is deleted.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { emit } from "../../../platform/outbox/emit.ts";
import { addWritten } from "../../people/accounts/counts.ts";
import { releaseMedia } from "../../base/media/attach.ts";
import "./events.ts";
import { getOwn } from "./load.ts";
import type { SeenStatus } from "./tables.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import type { RemovedStatus } from "./removed.ts";
import type { Reach } from "./removed.ts";
import {
  deleteActs,
  deleteStatuses,
  selectForDeletion,
  selectOwnReblogsOf,
  selectReblogsOf,
  selectStatusIdsOf,
} from "./queries-remove.ts";
import type { StatusToDelete } from "./queries-remove.ts";
import { addStatusCounts } from "./queries-write.ts";
import type { StatusDelta } from "./queries-write.ts";
import { holdersOf } from "./reach.ts";
import { isDirect, visibilityFacts } from "./visibility.ts";

type Reblog = { id: string; account_id: string; reblog_of_id: string };

const removedStatus = (
  row: StatusToDelete,
  reblogs: Reblog[],
  reach: Reach | undefined,
): RemovedStatus => ({
  ...visibilityFacts(row),
  id: row.id,
  uri: row.uri,
  accountId: row.account_id,
  local: row.local,
  reblogOfId: row.reblog_of_id,
  reblogOfUri: row.reblog_of_uri,
  reblogOfAuthorUri: row.reblog_of_author_uri,
  awaitsApproval: row.awaits_approval,
  createdAt: row.created_at.toISOString(),
  inReplyToAccountId: row.in_reply_to_account_id,
  tags: row.tags,
  hasMedia: row.had_media,
  mentionIds: row.mention_ids,
  ...(reach && { reach }),
  reblogs: reblogs
    .filter((reblog) => reblog.reblog_of_id === row.id)
    .map(({ id, account_id: accountId }) => ({ id, accountId })),
});

/** Adds up the changes of counts, so that each row is written once. */
const countDeleted = (rows: StatusToDelete[], reblogs: Reblog[]) => {
  const statuses = new Map<string, StatusDelta>();
  const accounts = new Map<string, number>();
  const gone = new Set([...rows, ...reblogs].map(({ id }) => id));
  const fewer = (id: string | null, what: "replies" | "reblogs" | "quotes"): void => {
    if (id === null || gone.has(id)) return;
    const delta = statuses.get(id) ?? { id };
    delta[what] = (delta[what] ?? 0) - 1;
    statuses.set(id, delta);
  };
  const fewerOf = (id: string): void => void accounts.set(id, (accounts.get(id) ?? 0) - 1);
  const own = new Set(rows.map(({ id }) => id));
  for (const { id, account_id } of reblogs) if (!own.has(id)) fewerOf(account_id);
  for (const row of rows) {
    fewer(row.reblog_of_id, "reblogs");
    fewer(row.quoted_status_id, "quotes");
    // Direct statuses are counted nowhere.
    if (isDirect(row)) continue;
    fewerOf(row.account_id);
    fewer(row.in_reply_to_id, "replies");
  }
  return {
    statuses: [...statuses.values()],
    accounts: [...accounts].map(([id, count]) => ({ id, statuses: count })),
  };
};

/** Deletes them with their reblogs, which it returns, and corrects the counts. */
export const deleteCounted = async (
  tx: Tx,
  rows: StatusToDelete[],
  tombstones: string[],
): Promise<Reblog[]> => {
  const ids = rows.map(({ id }) => id);
  const reblogs = [...(await selectReblogsOf(tx, ids))];
  const counts = countDeleted(rows, reblogs);
  await deleteStatuses(tx, ids, tombstones);
  await addStatusCounts(tx, counts.statuses);
  await addWritten(tx, counts.accounts);
  return reblogs;
};

/** Deletes within `tx`; returns the ids of those that existed. The caller checks who may do it. */
export const removeStatuses = async (app: App, tx: Tx, ids: string[]): Promise<string[]> => {
  const rows = [...(await selectForDeletion(tx, ids))];
  if (rows.length === 0) return [];
  const uris = rows.map(({ uri }) => uri);
  // Once the rows are deleted, nobody knows who has copies.
  const reach = await holdersOf(tx, rows);
  const reblogs = await deleteCounted(tx, rows, uris);
  const removed = rows.map((row) => removedStatus(row, reblogs, reach.get(row.id)));
  await emit(app, tx, "status.removed", removed);
  return rows.map(({ id }) => id);
};

/**
 * Deletes for moderators. Remote posts stay on their server and wherever it sent them; only what local people passed on
 * is undone for those who got it from them.
 */
export const removeForStaff = async (app: App, tx: Tx, ids: string[]): Promise<void> => {
  await removeStatuses(app, tx, [...(await selectOwnReblogsOf(tx, ids)), ...ids]);
};

/**
 * Deletes one's own post, and returns it as it was. Its media stay for a day, for a post in its place (clients offer to
 * delete and redraft), or are deleted with it.
 */
export const remove = async (
  app: App,
  viewer: KnownViewer,
  id: string,
  { deleteMedia }: { deleteMedia: boolean },
): Promise<SeenStatus> => {
  const view = await getOwn(app, id, viewer);
  await app.sql.begin(async (tx) => {
    if (!deleteMedia) await releaseMedia(tx, id, app.clock.now());
    await removeStatuses(app, tx, [id]);
  });
  return view;
};

/** Rows of each kind that one transaction deletes. */
const BATCH = 500;

/**
 * Deletes one batch of statuses within the transaction; returns false when nothing was left, and continues after a
 * restart. `isShutOut` says that the account is deleted here alone, so that boosts by local people are undone where
 * they were sent.
 */
export const deleteStatusesOf = async (
  tx: Tx,
  accountId: string,
  { app, isShutOut }: { app: App; isShutOut: boolean },
): Promise<boolean> => {
  const ids = await selectStatusIdsOf(tx, accountId, BATCH);
  if (isShutOut) await removeStatuses(app, tx, await selectOwnReblogsOf(tx, ids));
  const rows = [...(await selectForDeletion(tx, ids))];
  // There are no tombstones: the URIs belong to the account, which is known to be deleted.
  if (rows.length > 0) await deleteCounted(tx, rows, []);
  return rows.length > 0;
};

/** Deletes one batch of what the account did with statuses of others. */
export const deleteActsOf = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await deleteActs(tx, accountId, BATCH)) > 0;
