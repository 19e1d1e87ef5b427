// All SQL of the lists slice.

import { invalidate } from "../../../platform/db/commits.ts";
import { deleteSliceOf } from "../../../platform/db/delete-older.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyRow, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import { ascending, lowerBound, upperBound } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { FIELD_NAMES } from "./fields.ts";
import type { ListFields } from "./fields.ts";
import type { ListRow } from "./tables.ts";

const columns = (db: Db) => db`l.id, l.account_id, ${db(FIELD_NAMES.map((name) => `l.${name}`))}`;

export const selectLists = (db: Db, ownerId: string) => db<ListRow[]>`
  SELECT ${columns(db)} FROM lists l WHERE l.account_id = ${ownerId} ORDER BY l.id
`;

/** Another person's list is treated as missing. */
export const selectList = (db: Db, ownerId: string, id: string): Promise<ListRow | null> =>
  firstRow(db<ListRow[]>`
    SELECT ${columns(db)} FROM lists l WHERE l.id = ${id} AND l.account_id = ${ownerId}
  `);

/** Selects one's own lists that contain the account. */
export const selectListsWith = (db: Db, ownerId: string, accountId: string) => db<ListRow[]>`
  SELECT ${columns(db)}
  FROM list_accounts la JOIN lists l ON l.id = la.list_id
  WHERE la.owner_id = ${ownerId} AND la.account_id = ${accountId} ORDER BY l.id
`;

/** Selects the oldest list of this title. */
export const selectListByTitle = (db: Db, ownerId: string, title: string) =>
  firstRow(db<ListRow[]>`
    SELECT ${columns(db)} FROM lists l WHERE l.account_id = ${ownerId} AND l.title = ${title}
    ORDER BY l.id LIMIT 1
  `);

/** Selects the oldest list of this title that has the account. */
export const selectListWith = (db: Db, ownerId: string, title: string, accountId: string) =>
  firstValue(db<{ id: string }[]>`
    SELECT l.id FROM lists l JOIN list_accounts la ON la.list_id = l.id AND la.account_id = ${accountId}
    WHERE l.account_id = ${ownerId} AND l.title = ${title} ORDER BY l.id LIMIT 1
  `);

export const countLists = (db: Db, ownerId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM lists WHERE account_id = ${ownerId}
  `);

export const insertList = (db: Db, ownerId: string, list: ListFields): Promise<ListRow> =>
  onlyRow(db<ListRow[]>`
    INSERT INTO lists ${db({ account_id: ownerId, ...list } as never)}
    RETURNING ${db(["id", "account_id", ...FIELD_NAMES])}
  `);

/** Invalidates the cached readers of an author's posts (timelines/cached-readers.ts). */
const invalidateMembers = (db: Db, ids: string[]): void =>
  invalidate(db, ...ids.map((id): `followers:${string}` => `followers:${id}`));

const selectMemberIds = (db: Db, listId: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT account_id AS id FROM list_accounts WHERE list_id = ${listId}
  `);

/** Returns null when the list was deleted. */
export const lockList = (db: Tx, ownerId: string, id: string): Promise<ListRow | null> =>
  firstRow(db<ListRow[]>`
    SELECT ${columns(db)} FROM lists l WHERE l.id = ${id} AND l.account_id = ${ownerId} FOR UPDATE
  `);

/** Returns null when the list was deleted. */
export const updateList = async (db: Db, ownerId: string, id: string, list: ListFields) => {
  const [row] = await db<ListRow[]>`
    UPDATE lists l SET ${db(list as never)}
    WHERE l.id = ${id} AND l.account_id = ${ownerId} RETURNING ${columns(db)}
  `;
  invalidateMembers(db, await selectMemberIds(db, id));
  return row ?? null;
};

/** Deletes a list in a transaction, so that no member is added at the same time; returns false where there is none. */
export const deleteList = async (db: Tx, ownerId: string, id: string): Promise<boolean> => {
  await lockList(db, ownerId, id);
  const memberIds = await selectMemberIds(db, id);
  const { count } = await db`DELETE FROM lists WHERE id = ${id} AND account_id = ${ownerId}`;
  invalidateMembers(db, memberIds);
  return count > 0;
};

/**
 * Selects those of the accounts that may be added to a list, in a transaction: oneself, and accounts that are requested
 * or followed. Locks them, so that a concurrent unfollow comes afterwards and removes them from the list. Requests are
 * read first, in a statement of their own: one that is accepted meanwhile is a follow when follows are read.
 */
export const selectListable = async (db: Tx, ownerId: string, accountIds: string[]) => {
  const readFrom = (table: "follow_requests" | "follows") => db<{ id: string }[]>`
    SELECT target_account_id AS id FROM ${db(table)}
    WHERE account_id = ${ownerId} AND target_account_id = ANY(${accountIds}::bigint[])
    FOR KEY SHARE`;
  const requested = await readFrom("follow_requests");
  const followed = await readFrom("follows");
  const own = accountIds.filter((id) => id === ownerId);
  return [...new Set([...requested, ...followed].map(({ id }) => id).concat(own))];
};

/** Returns the number of new members. */
export const insertMembers = async (
  db: Db,
  list: Pick<ListRow, "id" | "account_id">,
  accountIds: string[],
): Promise<number> => {
  const { count } = await db`
    INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    SELECT l.id, t.id, l.account_id, l.exclusive
    FROM lists l, unnest(${accountIds}::bigint[]) AS t (id)
    WHERE l.id = ${list.id}
    ON CONFLICT (list_id, account_id) DO NOTHING
  `;
  invalidateMembers(db, accountIds);
  return count;
};

/** Adds the account to all lists of the owner that the other account is in. */
export const copyMemberships = async (
  db: Db,
  { ownerId, fromId, toId }: { ownerId: string; fromId: string; toId: string },
): Promise<void> => {
  await db`
    INSERT INTO list_accounts (list_id, account_id, owner_id, exclusive)
    SELECT list_id, ${toId}, owner_id, exclusive FROM list_accounts
    WHERE owner_id = ${ownerId} AND account_id = ${fromId}
    ON CONFLICT (list_id, account_id) DO NOTHING
  `;
  invalidateMembers(db, [toId]);
};

export const deleteMembers = async (db: Db, listId: string, accountIds: string[]) => {
  await db`
    DELETE FROM list_accounts
    WHERE list_id = ${listId} AND account_id = ANY(${accountIds}::bigint[])
  `;
  invalidateMembers(db, accountIds);
};

/** Selects members by their ids, without suspended ones; all of them where `page` is null. */
export const selectMembers = (db: Db, listId: string, page: Page | null) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id FROM list_accounts la JOIN accounts a ON a.id = la.account_id
    WHERE la.list_id = ${listId} AND a.suspended_at IS NULL
      ${page ? db`AND a.id > ${lowerBound(page)} AND a.id < ${upperBound(page)}` : db``}
    ORDER BY a.id ${page && ascending(page) ? db`ASC` : db`DESC`}
    ${page ? db`LIMIT ${page.limit}` : db``}
  `);

/** Removes an account from a slice of the lists that it is in; returns true when there may be more. */
export const deleteMemberships = async (db: Db, accountId: string): Promise<boolean> => {
  const isMore = await deleteSliceOf(db, "list_accounts", "account_id", accountId);
  invalidate(db, `followers:${accountId}`);
  return isMore;
};
