// Loads a person's own lists; those of others are treated as missing.

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { selectList, selectLists } from "./queries.ts";
import type { ListRow } from "./tables.ts";

export const listsOf = (app: App, ownerId: string): Promise<ListRow[]> =>
  selectLists(app.sql, ownerId).then((rows) => [...rows]);

/** Returns null for another's list, a missing one, and an invalid id. */
export const findList = async (
  app: App,
  ownerId: string,
  rawId: string,
): Promise<ListRow | null> => {
  const id = parseId(rawId);
  return id === null ? null : selectList(app.sql, ownerId, id);
};

/** Works as findList, but throws NotFound where there is none. */
export const getList = async (app: App, ownerId: string, rawId: string): Promise<ListRow> =>
  orNotFound(await findList(app, ownerId, rawId));
