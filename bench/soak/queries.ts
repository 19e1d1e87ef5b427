// The SQL of what is stored, for the checks.

import type { Db } from "../../src/platform/db/index.ts";

export const selectPosts = (db: Db) => db<{ id: string; content: string }[]>`
  SELECT s.id, s.content FROM statuses s JOIN accounts a ON a.id = s.account_id
  WHERE a.domain IS NULL AND s.reblog_of_id IS NULL
`;

export const selectNotes = (db: Db) => db<{ uri: string; content: string }[]>`
  SELECT s.uri, s.content FROM statuses s JOIN accounts a ON a.id = s.account_id
  WHERE a.domain IS NOT NULL AND s.reblog_of_id IS NULL
`;

/** Returns keys `person post`. */
export const selectMarks = (db: Db) => db<{ kind: string; key: string }[]>`
  SELECT 'favourite' AS kind, a.username || ' ' || f.status_id AS key
  FROM favourites f JOIN accounts a ON a.id = f.account_id
  UNION ALL
  SELECT 'bookmark', a.username || ' ' || b.status_id
  FROM bookmarks b JOIN accounts a ON a.id = b.account_id
  UNION ALL
  SELECT 'boost', a.username || ' ' || s.reblog_of_id
  FROM statuses s JOIN accounts a ON a.id = s.account_id
  WHERE s.reblog_of_id IS NOT NULL
`;

/** Returns keys `person person`, of local people. */
export const selectFollows = (db: Db) => db<{ key: string }[]>`
  SELECT a.username || ' ' || t.username AS key
  FROM follows f
    JOIN accounts a ON a.id = f.account_id
    JOIN accounts t ON t.id = f.target_account_id
  WHERE a.domain IS NULL AND t.domain IS NULL
`;

export const selectWaiting = (db: Db) => db<{ name: string; count: number }[]>`
  SELECT 'outbox' AS name, count(*)::int AS count FROM outbox
  UNION ALL SELECT 'incoming_activities', count(*)::int FROM incoming_activities
  UNION ALL SELECT 'deliveries', count(*)::int FROM deliveries
  UNION ALL SELECT 'jobs', count(*)::int FROM graphile_worker._private_jobs
    WHERE attempts < max_attempts AND (run_at <= now() OR attempts > 0)
`;

/** Returns the bytes of the largest tables with their indexes. */
export const selectSizes = (db: Db) => db<{ name: string; bytes: number }[]>`
  SELECT relname::text AS name, pg_total_relation_size(oid)::float8 AS bytes
  FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
  ORDER BY 2 DESC LIMIT 8
`;

/** Describes the posts in which homes differ. */
export const selectDescribed = (db: Db, ids: string[]) => db<{ id: string; text: string }[]>`
  SELECT s.id, a.username || CASE WHEN s.reblog_of_id IS NULL THEN '' ELSE ' boosts ' || s.reblog_of_id || ' of ' || o.username END
    || ', ' || s.visibility || ', answers ' || coalesce(s.in_reply_to_id::text, 'nothing') AS text
  FROM statuses s JOIN accounts a ON a.id = s.account_id
    LEFT JOIN statuses r ON r.id = s.reblog_of_id LEFT JOIN accounts o ON o.id = r.account_id
  WHERE s.id = ANY(${ids}::bigint[])
`;

/** How long rows are stored at most: docs/RETENTION.md. */
const STORED: [table: string, time: string, stored: string, condition: string][] = [
  ["status_idempotency", "created_at", "1 hour", "true"],
  [
    "media_attachments",
    "created_at",
    "1 day",
    "status_id IS NULL AND scheduled_id IS NULL AND detached_from IS NULL AND draft_id IS NULL",
  ],
  ["early_deletes", "created_at", "7 days", "true"],
  ["outgoing_activities", "created_at", "8 days", "true"],
  ["tag_days", "day", "15 days", "true"],
  ["remote_hosts", "settled_at", "30 days", "owner IS NULL AND due_at IS NULL"],
  ["peers", "checked_at", "90 days", "true"],
  ["tombstones", "created_at", "90 days", "true"],
  ["user_weeks", "week", "92 days", "true"],
];

/** Returns rows that should be deleted by now. */
export const selectTooOld = (db: Db) =>
  db.unsafe<{ name: string; count: number }[]>(
    STORED.map(
      ([table, time, stored, condition]) => `
        SELECT '${table}' AS name, count(*)::int AS count FROM ${table}
        WHERE ${time} < now() - interval '${stored}' AND ${condition}
      `,
    ).join("UNION ALL"),
  );
