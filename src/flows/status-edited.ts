// A status was edited: feeds and streams that have it are updated, people who reblogged or quote it are notified,
// servers that have it get an Update, and it is indexed again.

import type { App } from "../platform/app.ts";
import { mentions, localRebloggers } from "../domain/reading/notifications/audience.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import type { Notice } from "../domain/reading/notifications/tables.ts";
import { reindexStatus } from "../domain/reading/search/index-statuses.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { localQuotesOf } from "../domain/posts/statuses/approve.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { fanOutEdit } from "../domain/reading/timelines/fanout.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";
import { planCards } from "../domain/posts/cards/plan.ts";
import { notifyOfStatuses } from "./webhooks.ts";
import { shareEditedPost } from "../federation/fasp/sharing.ts";
import { deliverEdited } from "./deliver-status.ts";

/**
 * Notifies mentioned people, and those who reblogged or quote it; a later edit's notification replaces the earlier one.
 */
const notifyEdited = async (app: App, view: StatusView): Promise<void> => {
  const { id: statusId, account_id: fromId, edited_at: replaceBefore } = view;
  const rebloggers = await localRebloggers(app, view);
  const updates = rebloggers.map((accountId): Notice => {
    return { accountId, fromId, type: "update", statusId, replaceBefore };
  });
  const quotes = (await localQuotesOf(app.sql, statusId)).map((quote): Notice => {
    return { ...quote, fromId, type: "quoted_update", replaceBefore };
  });
  await notify(app, app.sql, [...mentions([view]), ...updates, ...quotes]);
};

export const onStatusEdited = async (app: App, { id }: { id: string }): Promise<void> => {
  const [view] = await loadAsServer(app, [id]);
  // A post that waits for approval is announced with its new text once it is approved.
  if (!view || view.awaits_approval) return;
  await reindexStatus(app, view);
  await fanOutEdit(app, view);
  await publishStatus(app, view, "status.update");
  await notifyEdited(app, view);
  if (view.local) await deliverEdited(app, view);
  await planCards(app, [view]);
  await shareEditedPost(app, id);
  await notifyOfStatuses(app, "status.updated", [view]);
};
