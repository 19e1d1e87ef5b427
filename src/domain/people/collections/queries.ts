// All SQL of the collections slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import type { CollectionRow, ItemRow } from "./tables.ts";

const columns = (db: Db) => db`
  c.id, c.account_id, c.name, c.description, c.language, c.tag_name, c.tag_display, c.sensitive,
  c.discoverable, c.created_at, c.updated_at, c.uri, c.url, c.fetched_at
`;

const itemColumns = (db: Db) => db`
  i.id, i.collection_id, i.account_id, i.state, i.created_at, i.uri, i.approval_uri
`;

export type CollectionFields = Partial<
  Pick<
    CollectionRow,
    "name" | "description" | "language" | "tag_name" | "tag_display" | "sensitive" | "discoverable"
  >
>;

export const countCollections = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM collections WHERE account_id = ${accountId}
  `);

export const insertCollection = async (
  db: Db,
  accountId: string,
  fields: CollectionFields,
  now: Date,
): Promise<string> => {
  const row = { ...fields, account_id: accountId, created_at: now, updated_at: now };
  return onlyValue(db<{ id: string }[]>`INSERT INTO collections ${db(row)} RETURNING id`);
};

export const updateCollection = (db: Db, id: string, fields: CollectionFields, now: Date) => db`
  UPDATE collections SET ${db({ ...fields, updated_at: now })} WHERE id = ${id}
`;

export const deleteCollection = (db: Db, id: string) =>
  db`DELETE FROM collections WHERE id = ${id}`;

export const selectCollections = (db: Db, ids: string[]) => db<CollectionRow[]>`
  SELECT ${columns(db)} FROM collections c WHERE c.id = ANY(${ids}::bigint[])
`;

export type Slice = { limit: number; offset: number };

/** Selects collections of the account; with `openOnly` only discoverable ones. */
export const selectOwnIds = (
  db: Db,
  accountId: string,
  openOnly: boolean,
  { limit, offset }: Slice,
) =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM collections
    WHERE account_id = ${accountId} ${openOnly ? db`AND discoverable` : db``}
    ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}
  `);

/** Selects collections that contain the account; with `openOnly` only discoverable ones. */
export const selectIdsWith = (
  db: Db,
  accountId: string,
  openOnly: boolean,
  { limit, offset }: Slice,
) =>
  valuesOf(db<{ id: string }[]>`
    SELECT c.id FROM collection_items i
    JOIN collections c ON c.id = i.collection_id
    JOIN accounts o ON o.id = c.account_id AND o.suspended_at IS NULL
    WHERE i.account_id = ${accountId} AND i.state = 'accepted'
      ${openOnly ? db`AND c.discoverable` : db``}
    ORDER BY c.id DESC LIMIT ${limit} OFFSET ${offset}
  `);

/** Selects items of several collections, oldest first, without those whose account is hidden. */
export const selectItems = (db: Db, collectionIds: string[]) => db<ItemRow[]>`
  SELECT ${itemColumns(db)}
  FROM collection_items i
  JOIN accounts a ON a.id = i.account_id AND a.suspended_at IS NULL
  WHERE i.collection_id = ANY(${collectionIds}::bigint[]) AND i.state <> 'revoked'
  ORDER BY i.id
`;

/** Selects those of the accounts that block the viewer or are blocked. */
export const selectBlocked = async (db: Db, viewerId: string, accountIds: string[]) => {
  const rows = await db<{ id: string }[]>`
    SELECT target_account_id AS id FROM blocks
    WHERE account_id = ${viewerId} AND target_account_id = ANY(${accountIds}::bigint[])
    UNION
    SELECT account_id FROM blocks
    WHERE target_account_id = ${viewerId} AND account_id = ANY(${accountIds}::bigint[])
  `;
  return new Set(rows.map((row) => row.id));
};

export const selectItem = (db: Db, collectionId: string, id: string) =>
  firstRow(db<ItemRow[]>`
    SELECT ${itemColumns(db)} FROM collection_items i
    WHERE i.id = ${id} AND i.collection_id = ${collectionId} AND i.state <> 'revoked'
  `);

/** Selects every account that is in the collection or has left it. */
export const selectMemberIds = (db: Db, collectionId: string) =>
  valuesOf(db<{ account_id: string }[]>`
    SELECT account_id FROM collection_items WHERE collection_id = ${collectionId}
  `);

/** `pendingIds` are accounts whose consent is requested first. */
export const insertItems = (
  db: Db,
  collectionId: string,
  accountIds: string[],
  pendingIds: string[],
  now: Date,
) => db<ItemRow[]>`
  INSERT INTO collection_items AS i (collection_id, account_id, state, created_at)
  SELECT ${collectionId}::bigint, id,
         CASE WHEN id = ANY(${pendingIds}::bigint[]) THEN 'pending' ELSE 'accepted' END, ${now}::timestamptz
  FROM unnest(${accountIds}::bigint[]) AS a (id)
  RETURNING ${itemColumns(db)}
`;

/** Keeps the row, so that the account cannot be added again. */
export const revokeItem = (db: Db, id: string) => db`
  UPDATE collection_items SET state = 'revoked' WHERE id = ${id}
`;

/** Selects those of the collections that belong to the account. */
export const selectOwned = (db: Db, accountId: string, ids: string[]) =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM collections WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])
  `);

export const selectCollectionOf = (db: Db, itemId: string): Promise<string | null> =>
  firstValue(db<{ collection_id: string }[]>`
    SELECT collection_id FROM collection_items WHERE id = ${itemId}
  `);

export const selectPending = (db: Db, ids: string[]) => db<ItemRow[]>`
  SELECT ${itemColumns(db)} FROM collection_items i
  WHERE i.id = ANY(${ids}::bigint[]) AND i.state = 'pending' AND i.account_id IS NOT NULL
`;
