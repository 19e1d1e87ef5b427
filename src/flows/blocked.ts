// A block, or its end: the other server is notified, so that it hides both accounts from each other.
// The follows and requests that the block ended have jobs of their own.

import type { App } from "../platform/app.ts";
import { blockActivity, undoBlockActivity } from "../domain/relationships/activitypub.ts";
import type { PairWithUri } from "../domain/relationships/events.ts";
import { acquaintance, loadPeople, tell } from "./pair.ts";

export const onBlocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  await tell(app, people.account, people.target, blockActivity(acquaintance(people, uri)));
};

export const onUnblocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  await tell(app, people.account, people.target, undoBlockActivity(acquaintance(people, uri)));
};
