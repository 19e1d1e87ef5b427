// SQL of who is told about the move: local accounts with remote followers, and remote accounts that people here follow.

import type { Db, Fragment, Tx } from "./uses.ts";

export type FollowTable = "follows" | "follow_requests";

/** Condition for local accounts that are neither suspended nor moved away. */
const isTold = (db: Db): Fragment =>
  db`a.domain IS NULL AND a.suspended_at IS NULL AND a.moved_to_account_id IS NULL`;

const hasFollowersElsewhere = (db: Db): Fragment =>
  db`EXISTS (SELECT FROM follows f WHERE f.target_account_id = a.id AND NOT f.local)`;

export const selectFollowedElsewhere = (db: Db, after: string, limit: number) => db<
  { id: string }[]
>`
  SELECT a.id FROM accounts a
  WHERE a.id > ${after} AND ${isTold(db)} AND ${hasFollowersElsewhere(db)}
  ORDER BY a.id LIMIT ${limit}
`;

/** `local`: a local account follows a remote one; otherwise the reverse. */
export type FollowRow = {
  id: string;
  account_id: string;
  target_account_id: string;
  local: boolean;
  uri: string | null;
};

/** Joins relations between local and remote accounts, neither of which is suspended. */
const between = (db: Db, table: FollowTable): Fragment => db`
  ${db(table)} r JOIN accounts f ON f.id = r.account_id JOIN accounts t ON t.id = r.target_account_id
  WHERE (f.domain IS NULL) <> (t.domain IS NULL) AND f.suspended_at IS NULL AND t.suspended_at IS NULL
`;

export const selectFollowsElsewhere = (db: Db, table: FollowTable, after: string, limit: number) =>
  db<FollowRow[]>`
    SELECT r.id, r.account_id, r.target_account_id, f.domain IS NULL AS local, r.uri
    FROM ${between(db, table)} AND r.id > ${after}
    ORDER BY r.id LIMIT ${limit}
  `;

export type BlockRow = Omit<FollowRow, "local">;

/** Selects blocks of remote accounts by local ones. */
export const selectBlocksElsewhere = (db: Db, after: string, limit: number) => db<BlockRow[]>`
  SELECT b.id, b.account_id, b.target_account_id, b.uri
  FROM blocks b JOIN accounts f ON f.id = b.account_id JOIN accounts t ON t.id = b.target_account_id
  WHERE f.domain IS NULL AND f.suspended_at IS NULL AND f.moved_to_account_id IS NULL
    AND t.domain IS NOT NULL AND t.suspended_at IS NULL AND b.id > ${after}
  ORDER BY b.id LIMIT ${limit}
`;

/** Remembers follows until the other server knows the account under its present name. */
export const insertFormerFollows = (tx: Tx, rows: FollowRow[], now: Date) => tx`
  INSERT INTO former_follows (account_id, target_account_id, created_at)
  SELECT account_id, target_account_id, ${now}
  FROM unnest(
    ${rows.map((row) => row.account_id)}::bigint[], ${rows.map((row) => row.target_account_id)}::bigint[]
  ) AS r (account_id, target_account_id)
  ON CONFLICT (account_id, target_account_id) DO UPDATE SET created_at = excluded.created_at
`;

/** Gives addresses to Follows and Blocks that had none. */
export const updateUris = (
  tx: Tx,
  table: FollowTable | "blocks",
  rows: { id: string; uri: string }[],
) =>
  tx`
    UPDATE ${tx(table)} AS f SET uri = r.uri
    FROM unnest(
      ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ uri }) => uri)}::text[]
    ) AS r (id, uri)
    WHERE f.id = r.id
  `;

export type NotifiedCounts = {
  accounts: number;
  /** Accounts with a remote follower, and the number of activities for them. */
  moves: number;
  deliveries: number;
  followers: number;
  follows: number;
};

export const countNotified = async (db: Db): Promise<NotifiedCounts> => {
  const [moves, follows] = await Promise.all([
    db<{ accounts: number; moves: number; deliveries: number }[]>`
      SELECT count(*)::int AS accounts, count(*) FILTER (WHERE inboxes > 0)::int AS moves,
        coalesce(sum(inboxes), 0)::int AS deliveries
      FROM (
        SELECT (
          SELECT count(DISTINCT coalesce(nullif(o.shared_inbox_url, ''), o.inbox_url))
          FROM follows f JOIN accounts o ON o.id = f.account_id
          WHERE f.target_account_id = a.id AND NOT f.local AND o.suspended_at IS NULL AND o.inbox_url <> ''
        ) AS inboxes
        FROM accounts a WHERE ${isTold(db)}
      ) AS told
    `,
    db<{ followers: number; follows: number }[]>`
      SELECT count(*) FILTER (WHERE NOT local)::int AS followers, count(*) FILTER (WHERE local)::int AS follows
      FROM (
        SELECT f.domain IS NULL AS local FROM ${between(db, "follows")}
        UNION ALL SELECT f.domain IS NULL FROM ${between(db, "follow_requests")}
      ) AS relations
    `,
  ]);
  return { ...moves[0]!, ...follows[0]! };
};
