// Somebody follows no longer, or took the request back: what was told of it goes, and the other
// server learns of it.

import type { App } from "../platform/app.ts";
import { retract } from "../domain/notifications/notify.ts";
import { undoFollowActivity } from "../domain/relationships/activitypub.ts";
import type { Pair, PairWithUri } from "../domain/relationships/events.ts";
import { acquaintance, loadPeople, tell } from "./pair.ts";

/** Takes back what the followed one was told of a follow or a request. */
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
  const people = await loadPeople(app, pair);
  if (!people) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await tell(app, people.account, people.target, undoFollowActivity(acquaintance(people, uri)));
};
