// Somebody follows: the followed is told, and a peer gets the Accept that it waits for.

import type { App } from "../platform/app.ts";
import { notify } from "../domain/notifications/notify.ts";
import { acceptFollowActivity } from "../domain/relationships/activitypub.ts";
import type { Pair } from "../domain/relationships/events.ts";
import { getFollowUri } from "../domain/relationships/load.ts";
import { acquaintance, loadPeople, tell } from "./pair.ts";

export const onFollowed = async (app: App, pair: Pair): Promise<void> => {
  const people = await loadPeople(app, pair);
  if (!people) return;
  await notify(app, app.sql, [
    { accountId: pair.targetId, fromId: pair.accountId, type: "follow" },
  ]);
  const uri = await getFollowUri(app, pair);
  // Ended before this ran: there is nothing to accept.
  if (uri === null) return;
  const activity = acceptFollowActivity(acquaintance(people, uri));
  await tell(app, people.target, people.account, activity);
};
