// Finds who may have a copy of a local status in addition to the author's followers, and who knows a local account.

import type { Db } from "../../../platform/db/index.ts";
import { selectReach } from "./queries-reach.ts";
import type { Reach } from "./removed.ts";

export {
  selectRecentInboxes as recentInboxes,
  selectRelatedInboxes as relatedInboxes,
} from "./queries-reach.ts";

const NOBODY: Reach = { inboxes: [], sharerIds: [] };

/** Returns who gets the new text of a status that everybody may see. */
export const readersOf = async (db: Db, id: string): Promise<Reach> =>
  (await selectReach(db, [id], { suspended: false })).get(id) ?? NOBODY;

/**
 * Returns who may have a copy of the local ones among the statuses; must be called within the transaction that deletes
 * them, before it does.
 */
export const holdersOf = (db: Db, rows: { id: string; local: boolean }[]) => {
  const ids = rows.filter(({ local }) => local).map(({ id }) => id);
  return selectReach(db, ids, { suspended: true });
};
