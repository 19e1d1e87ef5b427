// Puts an account into a person's list of this title, which is made where there is none: for imports.

import type { App } from "../../../platform/app.ts";
import { selectListWith } from "./queries.ts";
import { addToList, keepList } from "./write.ts";

/** Returns the person's list of this title that has the account already; null where there is none. */
export const isListed = (app: App, ownerId: string, title: string, accountId: string) =>
  selectListWith(app.sql, ownerId, title, accountId);

/** Returns the list's id; throws where `addToList` or `keepList` do. */
export const keepInList = async (
  app: App,
  ownerId: string,
  title: string,
  accountId: string,
): Promise<string> => {
  const list = await keepList(app, ownerId, title);
  await addToList(app, list, [accountId]);
  return list.id;
};
