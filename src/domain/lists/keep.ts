// An account in a person's list of this title, which is made where there is none: for imports.

import type { App } from "../../platform/app.ts";
import { selectListByTitle, selectListWith } from "./queries.ts";
import { addToList, createList } from "./write.ts";

/** The person's list of this title that has the account already; null: none. */
export const isListed = (
  app: App,
  ownerId: string,
  title: string,
  accountId: string,
): Promise<string | null> => selectListWith(app.sql, ownerId, title, accountId);

/** Gives the list's id. As `addToList`, `createList` where they refuse it. */
export const keepInList = async (
  app: App,
  ownerId: string,
  title: string,
  accountId: string,
): Promise<string> => {
  const list =
    (await selectListByTitle(app.sql, ownerId, title)) ??
    (await createList(app, ownerId, { title }));
  await addToList(app, list, [accountId]);
  return list.id;
};
