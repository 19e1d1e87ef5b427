// SQL that creates local accounts, stores remote ones and deletes both.

import { invalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, valuesOf } from "../../../platform/db/rows.ts";
import type { KeyPem } from "./keys.ts";
import { INBOXES_CHANGED, OWNER_CHANGED } from "./events.ts";
import type { AccountField, AssertionKey, RemoteAccount } from "./tables.ts";

export type NewProfile = Partial<{
  display_name: string;
  note: string;
  note_html: string;
  locked: boolean;
  discoverable: boolean;
}>;

type NewAccount = NewProfile & {
  username: string;
  actor_type: string;
  uri: string;
  url: string;
  inbox_url: string;
  shared_inbox_url: string;
  outbox_url: string;
  followers_url: string;
  following_url: string;
  featured_url: string;
  public_key: string;
};

export const insertKey = (db: Db, accountId: string, privateKey: string) => db`
  INSERT INTO account_keys (account_id, private_key) VALUES (${accountId}, ${privateKey})
`;

/** Returns false where there is no key to replace. */
export const replaceKey = async (
  db: Db,
  accountId: string,
  { publicKeyPem, privateKeyPem }: KeyPem,
): Promise<boolean> => {
  const { count } = await db`
    UPDATE account_keys SET private_key = ${privateKeyPem} WHERE account_id = ${accountId}
  `;
  if (count === 0) return false;
  await db`UPDATE accounts SET public_key = ${publicKeyPem} WHERE id = ${accountId}`;
  invalidate(db, `account:${accountId}`, `key:${accountId}`);
  return true;
};

/** Returns null for a remote account. */
export const selectKey = (db: Db, accountId: string): Promise<string | null> =>
  firstValue(db<{ private_key: string }[]>`
    SELECT private_key FROM account_keys WHERE account_id = ${accountId}
  `);

export const insertLocalAccount = async (db: Db, account: NewAccount, privateKey: string) => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO accounts ${db(account)} RETURNING id
  `;
  await db`INSERT INTO account_stats (account_id) VALUES (${row!.id})`;
  await insertKey(db, row!.id, privateKey);
  return row!.id;
};

const columns = (db: Db, account: RemoteAccount) => {
  const { fields, emojis, ...rest } = account;
  const { created_at: _created, suspended: _suspended, assertion_keys: _keys, ...plain } = rest;
  return {
    ...plain,
    ...(fields && { fields: db.json(fields) }),
    ...(emojis && { emojis: db.json(emojis) }),
  };
};

/**
 * Returns null when the uri or the handle is taken. Others that insert the same actor at the same moment are met at
 * either of the two indexes.
 */
export const insertRemote = async (db: Db, account: RemoteAccount): Promise<string | null> => {
  const at = account.created_at ? { created_at: account.created_at } : {};
  return firstValue(db<{ id: string }[]>`
    WITH new_account AS (
      INSERT INTO accounts ${db({ ...columns(db, account), ...at } as never)}
      ON CONFLICT DO NOTHING RETURNING id
    ), counted AS (
      INSERT INTO account_stats (account_id) SELECT id FROM new_account ON CONFLICT (account_id) DO NOTHING
    )
    SELECT id FROM new_account
  `);
};

/** Keeps the verification of a field with an unchanged value (verify-links.ts). */
const preserveProofs = (db: Db, fields: AccountField[]) => db`
  , fields = (
    SELECT coalesce(jsonb_agg(n.field || jsonb_build_object('verified_at', (
      SELECT o -> 'verified_at' FROM jsonb_array_elements(accounts.fields) AS o
      WHERE o -> 'value_html' = n.field -> 'value_html' LIMIT 1
    )) ORDER BY n.place), '[]')
    FROM jsonb_array_elements(${db.json(fields)}) WITH ORDINALITY AS n (field, place)
  )
`;

/** Returns null where there is none with this uri; local accounts are never changed. */
export const updateRemote = async (db: Db, account: RemoteAccount): Promise<string | null> => {
  const {
    uri,
    fields: _fields,
    ...rest
  } = columns(db, account) as ReturnType<typeof columns> & {
    fields?: unknown;
  };
  const [row] = await db<{ id: string; is_reached_as_before: boolean }[]>`
    UPDATE accounts SET ${db(rest as never)}, updated_at = now()
      ${account.fields ? preserveProofs(db, account.fields) : db``}
    WHERE uri = ${uri} AND domain IS NOT NULL
    RETURNING id, EXISTS (
      SELECT FROM accounts o WHERE o.id = accounts.id AND o.inbox_url = accounts.inbox_url
        AND o.shared_inbox_url IS NOT DISTINCT FROM accounts.shared_inbox_url
    ) AS is_reached_as_before
  `;
  if (row) invalidate(db, `account:${row.id}`, `key:${row.id}`);
  if (row && !row.is_reached_as_before) invalidate(db, INBOXES_CHANGED);
  return row?.id ?? null;
};

/** Writes only keys that changed. */
export const replaceAssertionKeys = async (db: Db, accountId: string, keys: AssertionKey[]) => {
  await db`
    WITH new_keys AS MATERIALIZED (
      SELECT * FROM unnest(
        ${keys.map(({ id }) => id)}::text[], ${keys.map(({ key }) => key)}::text[]
      ) AS g (key_id, public_key)
    ), deleted_keys AS (
      DELETE FROM assertion_keys k
      WHERE account_id = ${accountId} AND NOT EXISTS (SELECT FROM new_keys g WHERE g.key_id = k.key_id)
    )
    INSERT INTO assertion_keys AS k (account_id, key_id, public_key)
    SELECT ${accountId}::bigint, key_id, public_key FROM new_keys
    ON CONFLICT (account_id, key_id) DO UPDATE SET public_key = excluded.public_key
    WHERE k.public_key <> excluded.public_key
  `;
  invalidate(db, `key:${accountId}`);
};

/** Selects the other actor that has the handle. */
export const selectRival = (
  db: Db,
  { username, domain, uri }: Pick<RemoteAccount, "uri" | "username" | "domain">,
): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM accounts
    WHERE username = ${username} AND coalesce(domain, '') = ${domain} AND uri <> ${uri}
  `);

/** Selects what distinguishes a remote actor from one at the same address on a server that was set up anew. */
export const selectIdentity = (db: Db, uri: string) =>
  firstRow(db<{ public_key: string; created_at: Date }[]>`
    SELECT public_key, created_at FROM accounts WHERE uri = ${uri} AND domain IS NOT NULL
  `);

export const updateCreated = async (db: Db, id: string, at: Date): Promise<void> => {
  await db`UPDATE accounts SET created_at = ${at} WHERE id = ${id} AND domain IS NOT NULL`;
  invalidate(db, `account:${id}`);
};

export const renameAccount = async (db: Db, id: string, username: string): Promise<void> => {
  await db`UPDATE accounts SET username = ${username} WHERE id = ${id} AND domain IS NOT NULL`;
  invalidate(db, `account:${id}`, `key:${id}`);
};

/** Records who suspended the account: its own server can only undo a suspension that it set itself. */
export const markSuspension = async (db: Db, id: string, suspended: boolean, at: Date) => {
  const { count } = await db`
    UPDATE accounts SET
      suspended_remotely = ${suspended},
      suspended_at = CASE WHEN ${suspended} THEN ${at}::timestamptz END
    WHERE id = ${id} AND suspended_remotely <> ${suspended}
      AND (suspended_remotely OR suspended_at IS NULL)
  `;
  invalidate(db, `account:${id}`, `key:${id}`);
  if (count > 0) invalidate(db, INBOXES_CHANGED);
};

/** Hides the account at once; returns false when there is none. */
export const markRemoved = async (db: Db, id: string, at: Date): Promise<boolean> => {
  const rows = await db`
    UPDATE accounts SET suspended_at = coalesce(suspended_at, ${at}) WHERE id = ${id} RETURNING id
  `;
  invalidate(db, `account:${id}`, `key:${id}`, INBOXES_CHANGED);
  return rows.length > 0;
};

export const deleteUser = async (db: Db, accountId: string) => {
  // Deleting the user also deletes tokens by which the person uses other accounts, and memberships of shared accounts.
  const [row] = await db<{ id: string; token_ids: string[]; shared_ids: string[] }[]>`
    DELETE FROM users WHERE account_id = ${accountId} RETURNING id, array(
      SELECT t.id FROM oauth_tokens t JOIN account_access x ON x.id = t.access_id
      WHERE x.person_id = users.id
    ) AS token_ids, array(
      SELECT user_id FROM account_access WHERE person_id = users.id AND kind <> 'identity'
    ) AS shared_ids
  `;
  invalidate(db, `account:${accountId}`, OWNER_CHANGED);
  if (row) invalidate(db, `user:${row.id}`, `person:${accountId}`);
  invalidate(db, ...(row?.token_ids ?? []).map((id) => `token:${id}` as const));
  invalidate(db, ...(row?.shared_ids ?? []).map((id) => `user:${id}` as const));
};

type ReservedAccount = {
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
  inbox_url: string;
  shared_inbox_url: string | null;
  outbox_url: string | null;
  followers_url: string | null;
  following_url: string | null;
  featured_url: string | null;
  public_key: string;
  suspended_at: Date | null;
  created_at: Date;
};

/**
 * Selects cache keys of other accounts that the deletion changes: of those who read this account, and of those that
 * moved to it.
 */
const selectDependentKeys = (db: Db, id: string): Promise<CacheKey[]> =>
  valuesOf(db<{ key: CacheKey }[]>`
    SELECT 'tag-followers:' || t.name AS key
    FROM tag_follows f JOIN tags t ON t.id = f.tag_id WHERE f.account_id = ${id}
    UNION ALL
    SELECT 'followers:' || account_id FROM list_accounts WHERE owner_id = ${id}
    UNION ALL
    SELECT 'account:' || id FROM accounts WHERE moved_to_account_id = ${id}
  `);

/**
 * Deletes the account with everything that refers to it (ON DELETE CASCADE); returns null when there is none. Its
 * statuses and relations have to be deleted before, because their cache entries are not invalidated here.
 */
export const deleteAccount = async (db: Db, id: string): Promise<ReservedAccount | null> => {
  invalidate(db, `account:${id}`, `key:${id}`, `followers:${id}`);
  invalidate(db, ...(await selectDependentKeys(db, id)));
  return firstRow(db<ReservedAccount[]>`
    DELETE FROM accounts WHERE id = ${id}
    RETURNING id, username, domain, uri, url, inbox_url, shared_inbox_url, outbox_url,
      followers_url, following_url, featured_url, public_key, suspended_at, created_at
  `);
};

export const insertReserved = async (db: Db, account: ReservedAccount): Promise<void> => {
  await db`INSERT INTO accounts ${db(account as never)}`;
  await db`INSERT INTO account_stats (account_id) VALUES (${account.id})`;
};
