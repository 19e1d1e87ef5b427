// All SQL of discovery: the directory and suggestions.

import type { Db } from "../../../platform/db/index.ts";
import { onlyValue } from "../../../platform/db/rows.ts";

/** Accepts accounts `a` that are discoverable, and neither suspended nor limited. */
const findable = (db: Db) => db`
  a.discoverable AND a.suspended_at IS NULL AND a.silenced_at IS NULL
  AND a.moved_to_account_id IS NULL AND NOT a.memorial
  AND NOT EXISTS (
    SELECT FROM users u
    WHERE u.account_id = a.id AND (u.confirmed_at IS NULL OR NOT u.approved)
  )
`;

/** Leaves out accounts with a block between them and the viewer, and those that are muted or on a blocked server. */
const suitable = (db: Db, viewerId: string, now: Date) => db`
  AND NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = ${viewerId} AND b.target_account_id = a.id
  )
  AND NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_account_id = ${viewerId}
  )
  AND NOT EXISTS (
    SELECT FROM mutes m
    WHERE m.account_id = ${viewerId} AND m.target_account_id = a.id
      AND (m.expires_at IS NULL OR m.expires_at > ${now})
  )
  AND NOT EXISTS (
    SELECT FROM account_domain_blocks d
    WHERE d.account_id = ${viewerId} AND d.domain = a.domain
  )
`;

export type DirectoryQuery = {
  order: "active" | "new";
  local: boolean;
  viewerId: string | null;
  now: Date;
  limit: number;
  offset: number;
};

const allowed = (db: Db, { local, viewerId, now }: DirectoryQuery) => db`
  ${findable(db)}
  ${local ? db`AND a.domain IS NULL` : db``}
  ${viewerId === null ? db`` : suitable(db, viewerId, now)}
`;

/** Reads along accounts_discoverable, or its counterpart for local accounts. */
const selectNewest = (db: Db, query: DirectoryQuery) => db<{ id: string }[]>`
  SELECT a.id FROM accounts a WHERE ${allowed(db, query)}
  ORDER BY a.id DESC LIMIT ${query.limit} OFFSET ${query.offset}
`;

/**
 * Reads along account_stats_active and sorts each day, as far as the page needs. OFFSET 0 keeps the planner
 * from reading every account (53 ms for 100,000).
 */
const selectActive = (db: Db, query: DirectoryQuery) => db<{ id: string }[]>`
  SELECT s.account_id AS id
  FROM account_stats s
  CROSS JOIN LATERAL (
    SELECT FROM accounts a WHERE a.id = s.account_id AND ${allowed(db, query)} OFFSET 0
  ) AS shown
  ORDER BY s.last_status_on DESC NULLS LAST, s.last_status_at DESC NULLS LAST, s.account_id DESC
  LIMIT ${query.limit} OFFSET ${query.offset}
`;

/** Sorts all local accounts, which are few. */
const selectActiveLocal = (db: Db, query: DirectoryQuery) => db<{ id: string }[]>`
  SELECT a.id
  FROM accounts a JOIN account_stats s ON s.account_id = a.id
  WHERE ${allowed(db, query)}
  ORDER BY s.last_status_at DESC NULLS LAST, a.id DESC
  LIMIT ${query.limit} OFFSET ${query.offset}
`;

/** Selects ids of discoverable accounts: those that posted last first, or the newest. */
export const selectDirectory = async (db: Db, query: DirectoryQuery): Promise<string[]> => {
  const select =
    query.order === "new" ? selectNewest : query.local ? selectActiveLocal : selectActive;
  return (await select(db, query)).map((row) => row.id);
};

/** Leaves out the viewer, and accounts that are followed, requested or dismissed. */
const isNew = (db: Db, viewerId: string) => db`
  AND a.id <> ${viewerId}
  AND NOT EXISTS (
    SELECT FROM follows f WHERE f.account_id = ${viewerId} AND f.target_account_id = a.id
  )
  AND NOT EXISTS (
    SELECT FROM follow_requests r WHERE r.account_id = ${viewerId} AND r.target_account_id = a.id
  )
  AND NOT EXISTS (
    SELECT FROM dismissed_suggestions d
    WHERE d.account_id = ${viewerId} AND d.target_account_id = a.id
  )
`;

export type Source = "featured" | "friends_of_friends" | "most_followed" | "fasp";
type SuggestedRow = {
  id: string;
  source: Source;
  /** Whether the account joined this server lately and is followed by people whom the viewer follows. */
  recent: boolean;
};

const RECENT = "30 days";

const joinedOfLate = (db: Db, now: Date) =>
  db`(a.domain IS NULL AND a.created_at > ${now}::timestamptz - ${RECENT}::interval)`;

/** Newest follows that are read, of the viewer and of each followed account. */
const FRIENDS = 200;
const THEIRS = 100;
/** Candidates that are examined among all these. */
const CANDIDATES = 1000;

/**
 * Selects who invited the viewer, discoverable or not, the accounts that most of the followed accounts follow (without
 * those that hide their follows), among them first those that joined here lately, those whom a provider
 * recommends, and those with most followers; `limit` of each, best first.
 */
export const selectSuggested = (db: Db, viewerId: string, now: Date, limit: number) =>
  db<SuggestedRow[]>`
    WITH inviter AS (
      SELECT a.id
      FROM users u
      JOIN invites i ON i.id = u.invite_id
      JOIN accounts a ON a.id = i.account_id
      WHERE u.account_id = ${viewerId}
        AND a.suspended_at IS NULL AND a.silenced_at IS NULL AND a.moved_to_account_id IS NULL
        ${isNew(db, viewerId)} ${suitable(db, viewerId, now)}
    ), friends AS MATERIALIZED (
      SELECT a.id FROM (
        SELECT target_account_id FROM follows
        WHERE account_id = ${viewerId} ORDER BY id DESC LIMIT ${FRIENDS}
      ) AS f
      JOIN accounts a ON a.id = f.target_account_id AND a.hide_collections IS NOT TRUE
    ), theirs AS MATERIALIZED (
      SELECT t.id, count(*) AS weight
      FROM friends CROSS JOIN LATERAL (
        SELECT target_account_id AS id FROM follows
        WHERE account_id = friends.id ORDER BY follows.id DESC LIMIT ${THEIRS}
      ) AS t
      GROUP BY t.id
      ORDER BY weight DESC, t.id DESC LIMIT ${CANDIDATES}
    ), near AS (
      SELECT a.id, ${joinedOfLate(db, now)} AS recent,
        row_number() OVER (
          ORDER BY ${joinedOfLate(db, now)} DESC, t.weight DESC, s.followers_count DESC, a.id
        ) AS n
      FROM theirs t
      JOIN accounts a ON a.id = t.id
      JOIN account_stats s ON s.account_id = a.id
      WHERE ${findable(db)} ${isNew(db, viewerId)} ${suitable(db, viewerId, now)}
      ORDER BY n LIMIT ${limit}
    ), popular AS (
      SELECT a.id, row_number() OVER () AS n
      FROM (
        SELECT a.id
        FROM account_stats s JOIN accounts a ON a.id = s.account_id
        WHERE s.followers_count > 0
          AND ${findable(db)} ${isNew(db, viewerId)} ${suitable(db, viewerId, now)}
        ORDER BY s.followers_count DESC LIMIT ${limit}
      ) AS a
    ), recommended AS (
      SELECT a.id, row_number() OVER (ORDER BY r.found_at DESC, a.id) AS n
      FROM recommended_accounts r JOIN accounts a ON a.id = r.target_account_id
      WHERE r.account_id = ${viewerId}
        AND ${findable(db)} ${isNew(db, viewerId)} ${suitable(db, viewerId, now)}
      ORDER BY n LIMIT ${limit}
    )
    SELECT id, source, recent FROM (
      SELECT id, false AS recent, 1 AS n, 0 AS place, 'featured' AS source FROM inviter
      UNION ALL
      SELECT id, recent, n, 1, 'friends_of_friends' FROM near
      UNION ALL
      SELECT id, false, n, 2, 'fasp' FROM recommended
      UNION ALL
      SELECT id, false, n, 3, 'most_followed' FROM popular
    ) AS found
    ORDER BY place, n
  `;

/** Returns false when there is no such account. */
export const insertDismissal = (db: Db, accountId: string, targetId: string): Promise<boolean> =>
  onlyValue(db<{ known: boolean }[]>`
    WITH target AS (
      SELECT id FROM accounts WHERE id = ${targetId}
    ), dismissed AS (
      INSERT INTO dismissed_suggestions (account_id, target_account_id)
      SELECT ${accountId}::bigint, id FROM target ON CONFLICT (account_id, target_account_id) DO NOTHING
    )
    SELECT EXISTS (SELECT FROM target) AS known
  `);

export const insertRecommendations = (db: Db, accountId: string, ids: string[], at: Date) => db`
  INSERT INTO recommended_accounts (account_id, target_account_id, found_at)
  SELECT ${accountId}, id, ${at} FROM accounts WHERE id = ANY(${ids})
  ON CONFLICT (account_id, target_account_id) DO UPDATE SET found_at = excluded.found_at
`;
