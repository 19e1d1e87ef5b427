// Deleting a status, local or remote, and the reblogs of it; a tombstone keeps its address.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { addAccountCounts } from "../accounts/counts.ts";
import { loadStatuses } from "./load.ts";
import "./events.ts";
import type { RemovedStatus } from "./events.ts";
import {
  addStatusCounts,
  deleteStatusRows,
  insertTombstone,
  lockStatus,
  selectReblogsForUpdate,
  subtractStatuses,
} from "./queries-write.ts";
import type { StatusView } from "./tables.ts";

const farewell = (view: StatusView, reblogIds: string[]): RemovedStatus => ({
  id: view.id,
  uri: view.uri,
  accountId: view.account_id,
  visibility: view.visibility,
  local: view.local,
  reblogOfId: view.reblog_of_id,
  reblogOfUri: view.reblog?.uri ?? null,
  createdAt: view.created_at.toISOString(),
  inReplyToAccountId: view.in_reply_to_account_id,
  tags: view.tags.map((tag) => tag.name),
  mentionIds: view.mentions.map((mention) => mention.id),
  reblogIds,
});

const correctCounts = async (tx: Db, view: StatusView): Promise<void> => {
  if (view.visibility !== "direct") await addAccountCounts(tx, view.account_id, { statuses: -1 });
  if (view.in_reply_to_id && view.visibility !== "direct") {
    await addStatusCounts(tx, view.in_reply_to_id, { replies: -1 });
  }
  if (view.reblog_of_id) await addStatusCounts(tx, view.reblog_of_id, { reblogs: -1 });
  if (view.quote?.state === "accepted" && view.quote.quoted_status_id) {
    await addStatusCounts(tx, view.quote.quoted_status_id, { quotes: -1 });
  }
};

/** Deletes within `tx`; null when it was gone already. */
export const removeStatusIn = async (
  app: App,
  tx: Db,
  id: string,
): Promise<RemovedStatus | null> => {
  if (!(await lockStatus(tx, id))) return null;
  const [view] = await loadStatuses(app, [id], null, tx);
  if (!view) return null;
  const reblogs = await selectReblogsForUpdate(tx, id);
  await subtractStatuses(
    tx,
    reblogs.map((reblog) => reblog.account_id),
  );
  await correctCounts(tx, view);
  await deleteStatusRows(tx, [id]);
  await insertTombstone(tx, view.uri);
  const removed = farewell(
    view,
    reblogs.map((reblog) => reblog.id),
  );
  await app.jobs.add(tx, "status.removed", removed);
  return removed;
};

/** False when it was gone already. */
export const removeStatus = async (app: App, id: string): Promise<boolean> =>
  (await app.sql.begin((tx) => removeStatusIn(app, tx, id))) !== null;
