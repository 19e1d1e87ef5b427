// A block, or its end: the other server is notified, so that it hides both accounts from each other.
// The follows and requests that the block ended have jobs of their own.

import type { App } from "../platform/app.ts";
import { blockActivity, undoBlockActivity } from "../domain/relationships/activitypub.ts";
import type { PairWithUri } from "../domain/relationships/events.ts";
import { urisOf, loadPair, deliverToRemote } from "./pair.ts";

export const onBlocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await deliverToRemote(app, views.account, views.target, blockActivity(urisOf(views, uri)));
};

export const onUnblocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await deliverToRemote(app, views.account, views.target, undoBlockActivity(urisOf(views, uri)));
};
