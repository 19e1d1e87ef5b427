// All SQL of discovery: the directory and suggestions.

import type { Db } from "../../../platform/db/index.ts";
import { onlyValue, valuesOf } from "../../../platform/db/rows.ts";

const inGoodStanding = (db: Db) =>
  db`a.suspended_at IS NULL AND a.silenced_at IS NULL AND a.moved_to_account_id IS NULL`;

/** Accepts accounts `a` that are discoverable, and neither suspended nor limited. */
const findable = (db: Db) => db`
  a.discoverable AND ${inGoodStanding(db)} AND NOT a.memorial
  AND NOT EXISTS (
    SELECT FROM users u
    WHERE u.account_id = a.id AND (u.confirmed_at IS NULL OR NOT u.approved)
  )
`;

/** Leaves out accounts with a block between them and the viewer, and those that are muted or on a blocked server. */
const suitable = (db: Db, viewerId: string, now: Date) => db`
  AND NOT EXISTS (
    SELECT FROM (
      SELECT target_account_id AS id FROM blocks WHERE account_id = ${viewerId}
      UNION ALL SELECT account_id FROM blocks WHERE target_account_id = ${viewerId}
      UNION ALL SELECT target_account_id FROM mutes
      WHERE account_id = ${viewerId} AND (expires_at IS NULL OR expires_at > ${now})
    ) AS hidden WHERE hidden.id = a.id
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

/**
 * Selects those of the ids that the viewer may see, in their order. OFFSET 0 keeps the planner from looking at more of
 * them than the page needs.
 */
export const selectListed = (db: Db, ids: string[], query: DirectoryQuery) =>
  valuesOf(db<{ id: string }[]>`
    SELECT r.id
    FROM (SELECT id, n FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS r (id, n) ORDER BY n) AS r
    CROSS JOIN LATERAL (
      SELECT FROM accounts a WHERE a.id = r.id AND ${allowed(db, query)} OFFSET 0
    ) AS shown
    ORDER BY r.n LIMIT ${query.limit} OFFSET ${query.offset}
  `);

/** Accounts with most followers that are looked at, of whom most may not want to be found. */
const MOST_FOLLOWED = "5000";

export const selectMostFollowed = (db: Db, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id
    FROM (
      SELECT account_id, followers_count FROM account_stats
      WHERE followers_count > 0 ORDER BY followers_count DESC LIMIT ${db.unsafe(MOST_FOLLOWED)}
    ) AS s
    JOIN accounts a ON a.id = s.account_id
    WHERE ${findable(db)}
    ORDER BY s.followers_count DESC, a.id DESC LIMIT ${limit}
  `);

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
 * those that hide their follows), among them first those that joined here lately, those whom a provider recommends, and
 * those with most followers, which are `popular`; `limit` of each, best first. All of them are judged together: a
 * judgement of each source took half of the time to plan.
 */
export const selectSuggested = (
  db: Db,
  viewerId: string,
  { popular, now, limit }: { popular: string[]; now: Date; limit: number },
) => db<SuggestedRow[]>`
  WITH friends AS MATERIALIZED (
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
  ), candidates (id, place, weight) AS MATERIALIZED (
    SELECT i.account_id, 0, 0::float8
    FROM users u JOIN invites i ON i.id = u.invite_id WHERE u.account_id = ${viewerId}
    UNION ALL SELECT id, 1, weight FROM theirs
    UNION ALL SELECT target_account_id, 2, extract(epoch FROM found_at)
    FROM recommended_accounts WHERE account_id = ${viewerId}
    UNION ALL SELECT id, 3, -n FROM unnest(${popular}::bigint[]) WITH ORDINALITY AS p (id, n)
  ), judged AS (
    SELECT a.id, c.place, recent, row_number() OVER (
      PARTITION BY c.place ORDER BY recent DESC, c.weight DESC, s.followers_count DESC, a.id
    ) AS n
    FROM candidates c
    JOIN accounts a ON a.id = c.id
    LEFT JOIN account_stats s ON s.account_id = a.id
    CROSS JOIN LATERAL (SELECT c.place = 1 AND ${joinedOfLate(db, now)} AS recent) AS joined
    WHERE NOT EXISTS (
        SELECT FROM (
          SELECT ${viewerId}::bigint AS id
          UNION ALL SELECT target_account_id FROM follows WHERE account_id = ${viewerId}
          UNION ALL SELECT target_account_id FROM follow_requests WHERE account_id = ${viewerId}
          UNION ALL SELECT target_account_id FROM dismissed_suggestions
          WHERE account_id = ${viewerId}
        ) AS known WHERE known.id = a.id
      )
      ${suitable(db, viewerId, now)}
      AND CASE WHEN c.place > 0 THEN ${findable(db)} ELSE ${inGoodStanding(db)} END
  )
  SELECT id, recent, (ARRAY['featured', 'friends_of_friends', 'fasp', 'most_followed'])[place + 1] AS source
  FROM judged WHERE n <= ${limit} ORDER BY place, n
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
