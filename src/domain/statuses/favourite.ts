// Favouriting and its reverse, by local and remote accounts, one or many. An account's favourite
// counts once.

import { randomUUID } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { announce } from "../../platform/outbox/index.ts";
import "./events.ts";
import { deleteFavourites, insertFavourites } from "./queries-write.ts";
import type { FavouriteOf } from "./queries-write.ts";

/**
 * `uri`: of the Like activity. A local one gets a new one each time: peers drop an activity whose
 * id they have seen, and a favourite can be undone and made again.
 */
export type NewFavourite = FavouriteOf & {
  uri?: string;
  /** The emoji with which somebody elsewhere reacted. */
  reaction?: string | null;
  /** Where the picture of that emoji is. */
  reactionUrl?: string | null;
};

export const favouriteStatuses = async (
  app: App,
  db: Db,
  favourites: NewFavourite[],
): Promise<void> => {
  if (favourites.length === 0) return;
  const { origin } = app.config.site;
  const rows = favourites.map((one) => ({ uri: `${origin}/${randomUUID()}`, ...one }));
  announce(app, db, await insertFavourites(db, rows, app.outbox.owner()));
};

export const unfavouriteStatuses = async (
  app: App,
  db: Db,
  favourites: FavouriteOf[],
): Promise<void> => {
  if (favourites.length === 0) return;
  announce(app, db, await deleteFavourites(db, favourites, app.outbox.owner()));
};
