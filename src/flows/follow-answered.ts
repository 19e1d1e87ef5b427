// A follow request was accepted or rejected, or a follower removed: a remote follower is notified, and
// the notification of the request is deleted.

import type { App } from "../platform/app.ts";
import { acceptFollowActivity, rejectFollowActivity } from "../domain/relationships/activitypub.ts";
import type { PairWithUri } from "../domain/relationships/events.ts";
import { urisOf, loadPair, deliverToRemote } from "./pair.ts";
import { retractFollow } from "./unfollowed.ts";

export const onFollowAccepted = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow_request"]);
  await deliverToRemote(app, views.target, views.account, acceptFollowActivity(urisOf(views, uri)));
};

export const onFollowRejected = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.target, views.account, rejectFollowActivity(urisOf(views, uri)));
};
