// A follow ended, or a request was withdrawn: its notification is deleted, and the other server gets
// an Undo.

import type { App } from "../platform/app.ts";
import { retract } from "../domain/notifications/notify.ts";
import { undoFollowActivity } from "../domain/relationships/activitypub.ts";
import type { Pair, PairWithUri } from "../domain/relationships/events.ts";
import { urisOf, loadPair, deliverToRemote } from "./pair.ts";

/** Deletes the notification of a follow or a request. */
export const retractFollow = async (
  app: App,
  pair: Pair,
  types: ("follow" | "follow_request")[],
) => {
  const { accountId: fromId, targetId: accountId } = pair;
  await retract(
    app.sql,
    types.map((type) => ({ accountId, fromId, type })),
  );
};

export const onUnfollowed = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.account, views.target, undoFollowActivity(urisOf(views, uri)));
};
