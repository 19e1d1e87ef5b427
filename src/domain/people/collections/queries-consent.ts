// SQL of consent to be in a collection, and of collections of other servers.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyValue } from "../../../platform/db/rows.ts";
import type { CollectionRow, ItemRow, UncheckedItem } from "./tables.ts";

export type ItemWithCollection = ItemRow & {
  owner_id: string;
  collection_uri: string | null;
};

/** Selects an item with its collection and locks it, so that one of several answers counts. */
export const lockItem = (db: Db, id: string): Promise<ItemWithCollection | null> =>
  firstRow(db<ItemWithCollection[]>`
    SELECT i.id, i.collection_id, i.account_id, i.state, i.created_at, i.uri, i.approval_uri,
           c.account_id AS owner_id, c.uri AS collection_uri
    FROM collection_items i JOIN collections c ON c.id = i.collection_id
    WHERE i.id = ${id} FOR UPDATE OF i
  `);

export const approveItem = (db: Db, id: string, approvalUri: string) => db`
  UPDATE collection_items SET state = 'accepted', approval_uri = ${approvalUri} WHERE id = ${id}
`;

/** Selects the item of an account in a local collection, by the collection's id. */
export const selectItemOf = (db: Db, collectionId: string, accountId: string) =>
  firstRow(db<ItemRow[]>`
    SELECT id, collection_id, account_id, state, created_at, uri, approval_uri FROM collection_items
    WHERE collection_id = ${collectionId} AND account_id = ${accountId}
  `);

/** Selects items of these two accounts in each other's collections. */
export const selectItemsBetween = (db: Db, first: string, other: string) => db<{ id: string }[]>`
  SELECT i.id FROM collection_items i JOIN collections c ON c.id = i.collection_id
  WHERE i.state <> 'revoked' AND (
    (c.account_id = ${first} AND i.account_id = ${other}) OR (c.account_id = ${other} AND i.account_id = ${first})
  )
`;

export type RemoteCollectionRow = Omit<
  CollectionRow,
  "id" | "account_id" | "fetched_at" | "uri"
> & {
  uri: string;
};

type KnownCollection = {
  id: string;
  account_id: string;
  uri: string;
  name: string;
  description: string;
};

export const selectByUri = (db: Db, uri: string): Promise<KnownCollection | null> =>
  firstRow(db<KnownCollection[]>`
    SELECT id, account_id, uri, name, description FROM collections WHERE uri = ${uri} FOR UPDATE
  `);

/** Selects a collection of another server by its address or that of its page. */
export const selectIdByAddress = (db: Db, address: string): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM collections WHERE uri = ${address} OR url = ${address}
    ORDER BY uri = ${address} DESC LIMIT 1
  `);

/** Returns null where another transaction has just stored it. */
export const insertRemote = (db: Db, ownerId: string, row: RemoteCollectionRow, now: Date) =>
  firstValue(db<{ id: string }[]>`
    INSERT INTO collections ${db({ ...row, account_id: ownerId, fetched_at: now })}
    ON CONFLICT DO NOTHING RETURNING id
  `);

export const updateRemote = (db: Db, id: string, row: RemoteCollectionRow, now: Date) => db`
  UPDATE collections SET ${db({ ...row, fetched_at: now })} WHERE id = ${id}
`;

export type RemoteItemRow = {
  uri: string;
  object_uri: string;
  approval_uri: string | null;
  created_at: Date;
};

const asJson = (items: RemoteItemRow[]): string => JSON.stringify(items);

/**
 * Adds items to another server's collection. Local people are in it by their own consent alone: their item exists
 * already, and gets its address.
 */
export const addRemoteItems = async (db: Db, collectionId: string, items: RemoteItemRow[]) => {
  await db`
    UPDATE collection_items i SET uri = n.uri
    FROM jsonb_to_recordset(${asJson(items)}::text::jsonb) AS n (uri text, object_uri text)
    JOIN accounts a ON a.uri = n.object_uri AND a.domain IS NULL
    WHERE i.collection_id = ${collectionId} AND i.account_id = a.id AND i.uri IS DISTINCT FROM n.uri
      AND NOT EXISTS (SELECT FROM collection_items o WHERE o.uri = n.uri)
  `;
  await db`
    INSERT INTO collection_items (collection_id, state, uri, object_uri, approval_uri, created_at)
    SELECT ${collectionId}::bigint, 'pending', n.uri, n.object_uri, n.approval_uri, n.created_at
    FROM jsonb_to_recordset(${asJson(items)}::text::jsonb)
      AS n (uri text, object_uri text, approval_uri text, created_at timestamptz)
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.uri = n.object_uri AND a.domain IS NULL)
    ON CONFLICT DO NOTHING
  `;
};

/** Deletes items that are no longer listed; the consent of a local person stays until it was listed once. */
export const deleteOtherItems = (db: Db, collectionId: string, uris: string[]) => db`
  DELETE FROM collection_items
  WHERE collection_id = ${collectionId} AND uri IS NOT NULL AND uri <> ALL(${uris})
    AND state <> 'revoked'
`;

/** Marks items whose consent changed to be checked again; those of local people have no `object_uri`. */
export const recheckItems = (db: Db, collectionId: string, items: RemoteItemRow[]) => db`
  UPDATE collection_items i
  SET state = 'pending', account_id = NULL, approval_uri = n.approval_uri, object_uri = n.object_uri
  FROM jsonb_to_recordset(${asJson(items)}::text::jsonb)
    AS n (uri text, object_uri text, approval_uri text)
  WHERE i.collection_id = ${collectionId} AND i.uri = n.uri AND i.object_uri IS NOT NULL
    AND (i.approval_uri IS DISTINCT FROM n.approval_uri OR i.object_uri <> n.object_uri)
`;

export const countItems = (db: Db, collectionId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM collection_items WHERE collection_id = ${collectionId}
  `);

export const countRemote = (db: Db, ownerId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM collections WHERE account_id = ${ownerId}
  `);

export const deleteRemoteItem = (db: Db, collectionId: string, uri: string) => db`
  DELETE FROM collection_items
  WHERE collection_id = ${collectionId} AND uri = ${uri} AND state <> 'revoked'
`;

export const selectUnchecked = (db: Db, collectionId: string, limit: number) => db<UncheckedItem[]>`
  SELECT id, object_uri, approval_uri FROM collection_items
  WHERE collection_id = ${collectionId} AND account_id IS NULL AND object_uri IS NOT NULL
  ORDER BY id LIMIT ${limit}
`;

/** Accepts the item with this account; deletes it where the account is in the collection by another item. */
export const settleItem = async (db: Db, id: string, accountId: string): Promise<void> => {
  const settled = await db`
    UPDATE collection_items i SET account_id = ${accountId}, state = 'accepted'
    WHERE i.id = ${id} AND NOT EXISTS (
      SELECT FROM collection_items o WHERE o.collection_id = i.collection_id AND o.account_id = ${accountId}
    )
    RETURNING i.id
  `;
  if (settled.length === 0) await deleteItems(db, [id]);
};

export const deleteItems = (db: Db, ids: string[]) => db`
  DELETE FROM collection_items WHERE id = ANY(${ids}::bigint[])
`;

/** Adds a local person's consent to be in another server's collection; an existing one stays. */
export const insertConsent = async (db: Db, collectionId: string, accountId: string, now: Date) => {
  await db`
    INSERT INTO collection_items (collection_id, account_id, created_at)
    VALUES (${collectionId}, ${accountId}, ${now})
    ON CONFLICT DO NOTHING
  `;
};

export const selectListUrl = (db: Db, accountId: string): Promise<string | null> =>
  firstValue(db<{ url: string | null }[]>`
    SELECT featured_collections_url AS url FROM accounts
    WHERE id = ${accountId} AND suspended_at IS NULL
  `);

export const selectUris = (db: Db, ownerId: string) => db<{ id: string; uri: string }[]>`
  SELECT id, uri FROM collections WHERE account_id = ${ownerId} AND uri IS NOT NULL
`;

/** Selects collections of other servers by their addresses or those of their pages. */
export const selectIdsByAddresses = (db: Db, addresses: string[]) => db<
  { address: string; id: string }[]
>`
  SELECT t.address, c.id
  FROM unnest(${addresses}::text[]) AS t (address)
  CROSS JOIN LATERAL (
    (SELECT id FROM collections WHERE uri = t.address)
    UNION ALL
    (SELECT id FROM collections WHERE url = t.address LIMIT 1)
    LIMIT 1
  ) AS c
`;
