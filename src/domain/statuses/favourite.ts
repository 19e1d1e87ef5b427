// Favouriting and its reverse, by people here and elsewhere. Each counts once.

import { randomUUID } from "node:crypto";
import type { App } from "../../platform/app.ts";
import "./events.ts";
import { addStatusCounts, deleteFavourite, insertFavourite } from "./queries-write.ts";

/**
 * `uri`: of the Like activity, when it came from elsewhere. Ours gets a new one each time: peers
 * drop an activity whose id they have seen, and people change their mind.
 */
export const favourite = (
  app: App,
  accountId: string,
  statusId: string,
  uri = `${app.config.site.origin}/${randomUUID()}`,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await insertFavourite(tx, { accountId, statusId, uri }))) return;
    await addStatusCounts(tx, statusId, { favourites: 1 });
    await app.jobs.add(tx, "status.favourited", { accountId, statusId, uri });
  });

export const unfavourite = (app: App, accountId: string, statusId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    const gone = await deleteFavourite(tx, accountId, statusId);
    if (!gone) return;
    await addStatusCounts(tx, statusId, { favourites: -1 });
    await app.jobs.add(tx, "status.unfavourited", { accountId, statusId, uri: gone.uri });
  });
