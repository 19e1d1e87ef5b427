// SQL of commands that go through many accounts, a page at a time.

import type { Db, PeerRow } from "./uses.ts";

/** `local` selects people here, a domain those of that server, null those of all other servers. */
export type Whose = "local" | { domain: string } | null;
export type Listed = { id: string; username: string; domain: string | null; uri: string };

const whose = (db: Db, of: Whose) =>
  of === "local"
    ? db`domain IS NULL AND EXISTS (SELECT FROM users u WHERE u.account_id = a.id)`
    : of === null
      ? db`domain IS NOT NULL`
      : db`domain = ${of.domain}`;

export const selectAccountsAfter = (db: Db, of: Whose, after: string, limit: number) => db<
  Listed[]
>`
  SELECT id, username, domain, uri FROM accounts a
  WHERE ${whose(db, of)} AND id > ${after} AND suspended_at IS NULL
  ORDER BY id LIMIT ${limit}
`;

export const countAccounts = async (db: Db, of: Whose): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM accounts a WHERE ${whose(db, of)} AND suspended_at IS NULL
  `;
  return row!.count;
};

export const selectByHandles = (db: Db, ids: string[]) => db<Listed[]>`
  SELECT id, username, domain, uri FROM accounts WHERE id = ANY(${ids}::bigint[])
`;

/** Selects servers after `after` by name; with `software`, those that run it. */
export const selectPeers = (
  db: Db,
  { software, after, limit }: { software: string | null; after: string; limit: number },
) => db<PeerRow[]>`
  SELECT host, software, version, checked_at FROM peers
  WHERE host > ${after} ${software === null ? db`` : db`AND software = ${software}`}
  ORDER BY host LIMIT ${limit}
`;
