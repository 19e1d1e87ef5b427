// A request to follow was answered, or a follower sent away: who asked from another server learns
// of it; the request itself is no news any more.

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
