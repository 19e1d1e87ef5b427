// A new follow: the followed account is notified, and a remote follower gets the Accept.

import type { App } from "../platform/app.ts";
import { notify } from "../domain/notifications/notify.ts";
import { acceptFollowActivity } from "../domain/relationships/activitypub.ts";
import type { Pair } from "../domain/relationships/events.ts";
import { getFollowUri } from "../domain/relationships/load.ts";
import { urisOf, loadPair, deliverToRemote } from "./pair.ts";

export const onFollowed = async (app: App, pair: Pair): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await notify(app, app.sql, [
    { accountId: pair.targetId, fromId: pair.accountId, type: "follow" },
  ]);
  const uri = await getFollowUri(app, pair);
  // Ended before this ran: there is nothing to accept.
  if (uri === null) return;
  const activity = acceptFollowActivity(urisOf(views, uri));
  await deliverToRemote(app, views.target, views.account, activity);
};
