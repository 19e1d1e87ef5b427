// Somebody asks to follow: a local account is notified, a remote one gets the Follow.

import type { App } from "../platform/app.ts";
import { notify } from "../domain/notifications/notify.ts";
import { followActivity } from "../domain/relationships/activitypub.ts";
import type { Pair } from "../domain/relationships/events.ts";
import { getFollowUri } from "../domain/relationships/load.ts";
import { urisOf, loadPair, deliverToRemote } from "./pair.ts";

export const onFollowRequested = async (app: App, pair: Pair): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  const { accountId: fromId, targetId: accountId } = pair;
  await notify(app, app.sql, [{ accountId, fromId, type: "follow_request" }]);
  const uri = await getFollowUri(app, pair);
  // Withdrawn before this ran: the Follow would arrive after its Undo.
  if (uri === null) return;
  await deliverToRemote(app, views.account, views.target, followActivity(urisOf(views, uri)));
};
