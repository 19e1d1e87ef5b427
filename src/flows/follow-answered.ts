// A follow request was accepted or rejected, or a follower removed: a remote follower is notified, and
// the notification of the request is deleted.

import type { App } from "../platform/app.ts";
import { acceptFollowActivity, rejectFollowActivity } from "../domain/relationships/activitypub.ts";
import type { PairWithUri } from "../domain/relationships/events.ts";
import { acquaintance, loadPeople, tell } from "./pair.ts";
import { retractFollow } from "./unfollowed.ts";

export const onFollowAccepted = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  await retractFollow(app, pair, ["follow_request"]);
  await tell(app, people.target, people.account, acceptFollowActivity(acquaintance(people, uri)));
};

export const onFollowRejected = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await tell(app, people.target, people.account, rejectFollowActivity(acquaintance(people, uri)));
};
