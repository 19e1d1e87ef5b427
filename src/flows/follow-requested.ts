// Somebody asks to follow: one of ours is told, another server gets the Follow.

import type { App } from "../platform/app.ts";
import { notify } from "../domain/notifications/notify.ts";
import { followActivity } from "../domain/relationships/activitypub.ts";
import type { Pair } from "../domain/relationships/events.ts";
import { getFollowUri } from "../domain/relationships/load.ts";
import { acquaintance, loadPeople, tell } from "./pair.ts";

export const onFollowRequested = async (app: App, pair: Pair): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  const { accountId: fromId, targetId: accountId } = pair;
  await notify(app, app.sql, [{ accountId, fromId, type: "follow_request" }]);
  const uri = await getFollowUri(app, pair);
  // Taken back before this ran: the Undo would overtake it.
  if (uri === null) return;
  await tell(app, people.account, people.target, followActivity(acquaintance(people, uri)));
};
