// SQL that keeps the accounts of other servers.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { AccountField } from "./tables.ts";
import type { RemoteAccount } from "./upsert-remote.ts";

const columns = (db: Db, account: RemoteAccount) => {
  const { fields, emojis, created_at: _created, suspended: _suspended, ...plain } = account;
  return {
    ...plain,
    ...(fields && { fields: db.json(fields) }),
    ...(emojis && { emojis: db.json(emojis) }),
  };
};

/** Null when its uri or its handle is taken. */
export const insertRemote = async (db: Db, account: RemoteAccount): Promise<string | null> => {
  const at = account.created_at ? { created_at: account.created_at } : {};
  const [row] = await db<{ id: string }[]>`
    WITH made AS (
      INSERT INTO accounts ${db({ ...columns(db, account), ...at } as never)}
      ON CONFLICT DO NOTHING RETURNING id
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
  if (row) invalidate(db, `account:${row.id}`, `key:${row.id}`);
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
  invalidate(db, `account:${id}`, `key:${id}`);
};

/** Takes the handle away; a later look at that actor gives it the one that it has now. */
export const releaseHandle = async (db: Db, id: string) => {
  await db`
    UPDATE accounts SET username = 'former-' || id WHERE id = ${id} AND domain IS NOT NULL
  `;
  invalidate(db, `account:${id}`, `key:${id}`);
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
  invalidate(db, `account:${id}`, `key:${id}`);
};
