// Creates, changes and deletes lists and their members. Every change invalidates the feeds of the owner, since members
// of exclusive lists are left out of the home.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound, Unprocessable } from "../../../platform/errors.ts";
import { lockAccount } from "../accounts/lock.ts";
import { invalidateFeeds, listKey } from "../relationships/changed.ts";
import { checkedFields } from "./fields.ts";
import type { ListDraft, ListFields } from "./fields.ts";
import {
  copyMemberships,
  countLists,
  deleteList,
  deleteMembers,
  insertList,
  insertMembers,
  lockList,
  selectListable,
  selectListByTitle,
  updateList,
  selectListWith,
} from "./queries.ts";
import type { ListRow } from "./tables.ts";

/** Returns the person's list of this title that has the account already; null where there is none. */
export const isListed = (app: App, ownerId: string, title: string, accountId: string) =>
  selectListWith(app.sql, ownerId, title, accountId);

/** Makes the list of this title where there is none; returns its id. Throws where `addToList` or `keepList` do. */
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

export { deleteMemberships as removeFromLists } from "./queries.ts";

/** Lists of a person (limits.json of the contract, list). */
export const MAX_LISTS = 50;

/** The caller has locked the person's lists. */
const insertBelowLimit = async (tx: Tx, ownerId: string, list: ListFields): Promise<ListRow> => {
  if ((await countLists(tx, ownerId)) >= MAX_LISTS) {
    throw new Unprocessable("Validation failed: You have reached the maximum number of lists");
  }
  return insertList(tx, ownerId, list);
};

/** Throws 422 for an invalid title or policy, and beyond fifty lists. */
export const createList = (app: App, ownerId: string, draft: ListDraft): Promise<ListRow> => {
  const list = checkedFields(draft);
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, ownerId);
    return insertBelowLimit(tx, ownerId, list);
  });
};

/** Returns the list of this title, which is made where there is none; concurrent callers make one list. */
export const keepList = async (app: App, ownerId: string, title: string): Promise<ListRow> => {
  const known = await selectListByTitle(app.sql, ownerId, title);
  if (known) return known;
  const list = checkedFields({ title });
  return app.sql.begin(async (tx) => {
    await lockAccount(tx, ownerId);
    const other = await selectListByTitle(tx, ownerId, title);
    return other ?? insertBelowLimit(tx, ownerId, list);
  });
};

/** Leaves fields that are not given unchanged. */
export const changeList = async (
  app: App,
  { id, account_id: ownerId }: ListRow,
  draft: ListDraft,
): Promise<ListRow> => {
  const changed = await app.sql.begin(async (tx) => {
    const list = await lockList(tx, ownerId, id);
    return list && updateList(tx, ownerId, id, checkedFields(draft, list));
  });
  if (!changed) throw new NotFound();
  await invalidateFeeds(app, [ownerId]);
  return changed;
};

export const removeList = async (app: App, { id, account_id: ownerId }: ListRow): Promise<void> => {
  await app.sql.begin((tx) => deleteList(tx, ownerId, id));
  await invalidateFeeds(app, [ownerId]);
  await app.feeds.drop([listKey(id)]);
};

/**
 * Adds all accounts or none: throws NotFound when one is unknown, or neither followed nor requested; 422 when one is in
 * the list already.
 */
export const addToList = async (app: App, list: ListRow, rawIds: string[]): Promise<void> => {
  const ids = [...new Set(rawIds.map(parseId))];
  if (ids.length === 0) return;
  await app.sql.begin(async (tx) => {
    const accountIds = ids.flatMap((id) => id ?? []);
    const listable = await selectListable(tx, list.account_id, accountIds);
    if (listable.length < ids.length) throw new NotFound();
    if ((await insertMembers(tx, list, accountIds)) < accountIds.length) {
      throw new Unprocessable("Validation failed: Account has already been taken");
    }
  });
  await invalidateFeeds(app, [list.account_id]);
};

/** Accepts accounts that are not in the list. */
export const removeFromList = async (app: App, list: ListRow, rawIds: string[]): Promise<void> => {
  const ids = rawIds.flatMap((id) => parseId(id) ?? []);
  if (ids.length === 0) return;
  await deleteMembers(app.sql, list.id, ids);
  await invalidateFeeds(app, [list.account_id]);
};

/** Adds the account to which another one moved to the person's lists that have that one. */
export const listInstead = async (
  app: App,
  moved: { ownerId: string; fromId: string; toId: string },
): Promise<void> => {
  await copyMemberships(app.sql, moved);
  await invalidateFeeds(app, [moved.ownerId]);
};
