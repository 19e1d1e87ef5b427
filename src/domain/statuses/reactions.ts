// The emojis with which people elsewhere favourited: characters, or `:name:` of their servers' own ones with a picture.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { remoteEmojis } from "../emojis/load.ts";
import { reactedTo } from "./queries-write.ts";
import type { Reaction } from "./tables.ts";

/** As people here see them: with pictures that this server fetches, and none of servers whose media are rejected. */
export const withPictures = async <T extends Reaction>(app: App, given: T[]): Promise<T[]> => {
  if (!given.some(({ emoji }) => emoji)) return given;
  const items = given.map(({ uri, emoji }) => ({ uri: uri ?? "", emojis: emoji ? [emoji] : [] }));
  const shown = await remoteEmojis(app, items);
  return given.map((one, n) => ({ ...one, emoji: shown[n]![0] ?? null }));
};

/** Whether reactions of these accounts are counted has changed: they were suspended, or are back. */
export const recountReactionsOf = (db: Db, accountIds: string[]): Promise<void> =>
  reactedTo(db, accountIds);
