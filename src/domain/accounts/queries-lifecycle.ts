// SQL that makes accounts of ours, takes in those of other servers and removes both.

import { changed } from "../../platform/db/changes.ts";
import type { Db } from "../../platform/db/index.ts";
import { OWNER_CHANGED } from "./events.ts";
import type { AccountField } from "./tables.ts";
import type { RemoteAccount } from "./upsert-remote.ts";

export type NewAccount = {
  username: string;
  uri: string;
  url: string;
  inbox_url: string;
  shared_inbox_url: string;
  outbox_url: string;
  followers_url: string;
  following_url: string;
  featured_url: string;
  public_key: string;
  private_key: string;
};

export const insertLocalAccount = async (db: Db, account: NewAccount): Promise<string> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO accounts ${db(account)} RETURNING id
  `;
  await db`INSERT INTO account_stats (account_id) VALUES (${row!.id})`;
  return row!.id;
};

const columns = (db: Db, account: RemoteAccount) => {
  const { fields, emojis, created_at: _created, suspended: _suspended, ...plain } = account;
  return {
    ...plain,
    ...(fields && { fields: db.json(fields) }),
    ...(emojis && { emojis: db.json(emojis) }),
  };
};

/** Null when its uri is taken; a unique violation when its handle is. */
export const insertRemote = async (db: Db, account: RemoteAccount): Promise<string | null> => {
  const at = account.created_at ? { created_at: account.created_at } : {};
  const [row] = await db<{ id: string }[]>`
    WITH made AS (
      INSERT INTO accounts ${db({ ...columns(db, account), ...at } as never)}
      ON CONFLICT (uri) DO NOTHING RETURNING id
    ), counted AS (
      INSERT INTO account_stats (account_id) SELECT id FROM made ON CONFLICT (account_id) DO NOTHING
    )
    SELECT id FROM made
  `;
  return row?.id ?? null;
};

/** A field that says what it said keeps its proof (verify-links.ts). */
const keepProofs = (db: Db, fields: AccountField[]) => db`
  , fields = (
    SELECT coalesce(jsonb_agg(n.field || jsonb_build_object('verified_at', (
      SELECT o -> 'verified_at' FROM jsonb_array_elements(accounts.fields) AS o
      WHERE o -> 'value_html' = n.field -> 'value_html' LIMIT 1
    )) ORDER BY n.place), '[]')
    FROM jsonb_array_elements(${db.json(fields)}) WITH ORDINALITY AS n (field, place)
  )
`;

/** Null when there is none with this uri; accounts of ours are never touched. */
export const updateRemote = async (db: Db, account: RemoteAccount): Promise<string | null> => {
  const {
    uri,
    fields: _fields,
    ...rest
  } = columns(db, account) as ReturnType<typeof columns> & {
    fields?: unknown;
  };
  const [row] = await db<{ id: string }[]>`
    UPDATE accounts SET ${db(rest as never)}, updated_at = now()
      ${account.fields ? keepProofs(db, account.fields) : db``}
    WHERE uri = ${uri} AND domain IS NOT NULL RETURNING id
  `;
  if (row) changed(db, `account:${row.id}`, `key:${row.id}`);
  return row?.id ?? null;
};

/** Who has the handle under another uri, and whether the uri itself is known. */
export const selectRival = async (db: Db, account: RemoteAccount) => {
  const { username, domain, uri } = account;
  const [row] = await db<{ id: string; uri_known: boolean }[]>`
    SELECT id, EXISTS (SELECT FROM accounts WHERE uri = ${uri}) AS uri_known
    FROM accounts
    WHERE username = ${username} AND coalesce(domain, '') = ${domain} AND uri <> ${uri}
  `;
  return row ?? null;
};

export const changeUri = async (db: Db, id: string, uri: string) => {
  await db`
    UPDATE accounts SET uri = ${uri}, key_id = NULL WHERE id = ${id} AND domain IS NOT NULL
  `;
  changed(db, `account:${id}`, `key:${id}`);
};

/** Takes the handle away; a later look at that actor gives it the one that it has now. */
export const releaseHandle = async (db: Db, id: string) => {
  await db`
    UPDATE accounts SET username = 'former-' || id WHERE id = ${id} AND domain IS NOT NULL
  `;
  changed(db, `account:${id}`, `key:${id}`);
};

/** Only what its own server did is undone by what its own server says. */
export const markSuspension = async (db: Db, id: string, suspended: boolean, at: Date) => {
  await db`
    UPDATE accounts SET
      suspended_remotely = ${suspended},
      suspended_at = CASE WHEN ${suspended} THEN ${at}::timestamptz END
    WHERE id = ${id} AND suspended_remotely <> ${suspended}
      AND (suspended_remotely OR suspended_at IS NULL)
  `;
  changed(db, `account:${id}`, `key:${id}`);
};

/** Hides the account at once; false when there is none. */
export const markRemoved = async (db: Db, id: string, at: Date): Promise<boolean> => {
  const rows = await db`
    UPDATE accounts SET suspended_at = coalesce(suspended_at, ${at}) WHERE id = ${id} RETURNING id
  `;
  changed(db, `account:${id}`);
  return rows.length > 0;
};

export const deleteUser = async (db: Db, accountId: string) => {
  await db`DELETE FROM users WHERE account_id = ${accountId}`;
  changed(db, `account:${accountId}`, OWNER_CHANGED);
};

export type ReservedAccount = {
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
  private_key: string | null;
  suspended_at: Date | null;
  created_at: Date;
};

/** Deletes it with everything that hangs on it (ON DELETE CASCADE); null when there is none. */
export const deleteAccount = async (db: Db, id: string): Promise<ReservedAccount | null> => {
  const [row] = await db<ReservedAccount[]>`
    DELETE FROM accounts WHERE id = ${id}
    RETURNING id, username, domain, uri, url, inbox_url, shared_inbox_url, outbox_url,
      followers_url, following_url, featured_url, public_key, private_key, suspended_at, created_at
  `;
  // Statuses, and what hung on them elsewhere, went with it.
  if (row) changed(db, "all");
  return row ?? null;
};

export const insertReserved = async (db: Db, account: ReservedAccount): Promise<void> => {
  await db`INSERT INTO accounts ${db(account as never)}`;
  await db`INSERT INTO account_stats (account_id) VALUES (${account.id})`;
};

/** Where other servers know the account: those it follows and those that follow it. */
export const selectAcquaintedInboxes = async (db: Db, id: string): Promise<string[]> => {
  const rows = await db<{ inbox: string }[]>`
    SELECT DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
    FROM (
      SELECT account_id AS other FROM follows WHERE target_account_id = ${id}
      UNION
      SELECT target_account_id FROM follows WHERE account_id = ${id}
    ) AS known
    JOIN accounts a ON a.id = known.other
    WHERE a.domain IS NOT NULL AND a.inbox_url <> ''
  `;
  return rows.map((row) => row.inbox);
};
