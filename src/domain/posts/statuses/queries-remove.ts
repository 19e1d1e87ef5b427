// SQL that deletes statuses: what has to be read before, all dependent rows, what an account wrote and did, and
// deletion by age.

import { invalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstValue, valuesOf } from "../../../platform/db/rows.ts";
import { deleteOlder, SLICE } from "../../../platform/db/delete-older.ts";
import { detachQuotes } from "./queries-approvals.ts";
import { visibilityColumns } from "./fragments.ts";
import { markKey, statusKeys } from "./queries-acts.ts";
import type { VisibilityFacts } from "./visibility.ts";

export type StatusToDelete = VisibilityFacts & {
  id: string;
  uri: string;
  account_id: string;
  local: boolean;
  reblog_of_id: string | null;
  reblog_of_uri: string | null;
  reblog_of_author_uri: string | null;
  awaits_approval: boolean;
  created_at: Date;
  in_reply_to_id: string | null;
  in_reply_to_account_id: string | null;
  tags: string[];
  /** Whether one of its versions has media. */
  had_media: boolean;
  mention_ids: string[];
  /** Id of the status that it quotes, where the quote is accepted and therefore counted. */
  quoted_status_id: string | null;
};

/**
 * Locks all rows that the deletion writes, in the order of the ids: statuses that reply to, boost and quote each other
 * may be deleted at the same moment.
 */
const lockForDeletion = (db: Db, ids: string[]) => db`
  SELECT FROM statuses WHERE id IN (
    SELECT unnest(${ids}::bigint[])
    UNION SELECT id FROM statuses WHERE reblog_of_id = ANY(${ids}::bigint[])
    UNION SELECT id FROM statuses WHERE in_reply_to_id = ANY(${ids}::bigint[])
    UNION SELECT status_id FROM quotes WHERE quoted_status_id = ANY(${ids}::bigint[])
  )
  ORDER BY id FOR UPDATE
`;

/** Selects what has to be known of statuses before they are deleted; locks them, and rows that refer to them. */
export const selectForDeletion = async (db: Db, ids: string[]): Promise<StatusToDelete[]> => {
  if (ids.length === 0) return [];
  await lockForDeletion(db, ids);
  return db<StatusToDelete[]>`
  SELECT s.id, s.uri, s.account_id, ${visibilityColumns(db)}, s.local, s.reblog_of_id, s.created_at,
    s.in_reply_to_id, s.in_reply_to_account_id, s.awaits_approval,
    (SELECT o.uri FROM statuses o WHERE o.id = s.reblog_of_id) AS reblog_of_uri,
    (
      SELECT a.uri FROM statuses o JOIN accounts a ON a.id = o.account_id
      WHERE o.id = s.reblog_of_id
    ) AS reblog_of_author_uri,
    (
      SELECT q.quoted_status_id FROM quotes q WHERE q.status_id = s.id AND q.state = 'accepted'
    ) AS quoted_status_id,
    ARRAY(
      SELECT t.name FROM statuses_tags st JOIN tags t ON t.id = st.tag_id
      WHERE st.status_id = s.id ORDER BY t.id
    ) AS tags,
    s.has_media OR EXISTS (
      SELECT FROM status_edits e WHERE e.status_id = s.id AND e.media <> '[]'
    ) AS had_media,
    ARRAY(SELECT account_id::text FROM mentions WHERE status_id = s.id) AS mention_ids
  FROM statuses s WHERE s.id = ANY(${ids}::bigint[])
  ORDER BY s.id
`;
};

/** Selects and locks the reblogs of these statuses. */
export const selectReblogsOf = (db: Db, ids: string[]) => db<
  { id: string; account_id: string; reblog_of_id: string }[]
>`
  SELECT id, account_id, reblog_of_id FROM statuses
  WHERE reblog_of_id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE
`;

/** Selects local people's reblogs of remote posts. */
export const selectOwnReblogsOf = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT b.id FROM statuses b JOIN statuses s ON s.id = b.reblog_of_id
    WHERE b.reblog_of_id = ANY(${ids}::bigint[]) AND b.local AND NOT s.local
  `);

type DeletedRow = Pick<StatusToDelete, "id" | "account_id" | "in_reply_to_id" | "reblog_of_id">;

/**
 * Returns cache keys of everything that shows the status: pages of its author, the thread above, the original of a
 * reblog.
 */
const affectedKeys = (row: DeletedRow): CacheKey[] => [
  `status:${row.id}`,
  `account:${row.account_id}`,
  ...(row.reblog_of_id ? [markKey(row.account_id, row.reblog_of_id)] : []),
  ...statusKeys([row.in_reply_to_id, row.reblog_of_id].filter((id) => id !== null)),
];

/** Deletes them and their reblogs with all dependent rows; replies to them lose their parent. */
export const deleteStatuses = async (db: Db, ids: string[], uris: string[]): Promise<void> => {
  const orphans = await db<DeletedRow[]>`
    UPDATE statuses SET in_reply_to_id = NULL WHERE in_reply_to_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  const quoting = await detachQuotes(db, ids);
  // Their notifications are deleted with them.
  const notified = await db<{ account_id: string }[]>`
    SELECT DISTINCT account_id FROM notifications WHERE status_id = ANY(${ids}::bigint[])
  `;
  const deleted = await db<DeletedRow[]>`
    DELETE FROM statuses WHERE id = ANY(${ids}::bigint[]) OR reblog_of_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  await db`
    INSERT INTO tombstones (uri) SELECT unnest(${uris}::text[]) ON CONFLICT (uri) DO NOTHING
  `;
  invalidate(db, ...[...orphans, ...deleted].flatMap(affectedKeys), ...statusKeys(quoting));
  invalidate(db, ...notified.map((row) => `notifications:${row.account_id}` as const));
};

/**
 * Locks posts that have ended, as their deletion does, in the order of their ends, by the index of posts with an end.
 * The condition is checked again after the lock: authors may have postponed the end meanwhile.
 */
export const lockExpired = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const due = await db<{ id: string }[]>`
    SELECT id FROM statuses WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${limit}
  `;
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return [];
  await lockForDeletion(db, ids);
  return valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[]) AND expires_at <= ${now}
  `);
};

export const selectStatusIdsOf = (db: Db, accountId: string, limit: number): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses WHERE account_id = ${accountId} ORDER BY id LIMIT ${limit}
  `);

/**
 * Deletes at most `limit` of each: the account's favourites with their counts, mentions of it, and references to it as
 * the author of replied or quoted statuses. Returns their number.
 */
export const deleteActs = async (db: Db, accountId: string, limit: number): Promise<number> => {
  const rows = await db<{ id: string }[]>`
    WITH favourite AS (
      DELETE FROM favourites WHERE id = ANY(ARRAY(
        SELECT id FROM favourites WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), locked AS MATERIALIZED (
      SELECT status_id FROM status_stats WHERE status_id IN (SELECT status_id FROM favourite)
      ORDER BY status_id FOR UPDATE
    ), counted AS (
      UPDATE status_stats s SET favourites_count = greatest(0, s.favourites_count - 1)
      FROM locked l WHERE s.status_id = l.status_id
    ), bookmark AS (
      DELETE FROM bookmarks WHERE id = ANY(ARRAY(
        SELECT id FROM bookmarks WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), mention AS (
      DELETE FROM mentions WHERE account_id = ${accountId} AND status_id = ANY(ARRAY(
        SELECT status_id FROM mentions WHERE account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    ), reply AS (
      UPDATE statuses SET in_reply_to_account_id = NULL WHERE id = ANY(ARRAY(
        SELECT id FROM statuses WHERE in_reply_to_account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING id
    ), quote AS (
      UPDATE quotes SET quoted_account_id = NULL WHERE id = ANY(ARRAY(
        SELECT id FROM quotes WHERE quoted_account_id = ${accountId} LIMIT ${limit}
      ))
      RETURNING status_id
    )
    SELECT status_id AS id FROM favourite
    UNION ALL SELECT status_id FROM bookmark
    UNION ALL SELECT status_id FROM mention
    UNION ALL SELECT id FROM reply
    UNION ALL SELECT status_id FROM quote
  `;
  invalidate(db, ...rows.flatMap(({ id }) => [markKey(accountId, id), `status:${id}` as const]));
  return rows.length;
};

export const deleteIdempotencyBefore = (db: Db, before: Date) =>
  deleteOlder(db, "status_idempotency", "created_at", before);

const PASS = "remote_statuses";

/** Starts a pass at this id, unless one is under way. */
export const startPass = (db: Db, beforeId: string) => db`
  INSERT INTO retention_passes (name, before_id) VALUES (${PASS}, ${beforeId})
  ON CONFLICT (name) DO NOTHING
`;

/** Selects and locks the position of the pass; null when another process works on it. */
export const lockPass = (db: Db): Promise<string | null> =>
  firstValue(db<{ before_id: string }[]>`
    SELECT before_id FROM retention_passes WHERE name = ${PASS} FOR UPDATE SKIP LOCKED
  `);

export const advancePass = (db: Db, beforeId: string) => db`
  UPDATE retention_passes SET before_id = ${beforeId} WHERE name = ${PASS}
`;

export const endPass = (db: Db) => db`DELETE FROM retention_passes WHERE name = ${PASS}`;

/** Selects a slice of statuses, newest first. */
export const selectSlice = (db: Db, beforeId: string) => db<{ id: string; local: boolean }[]>`
  SELECT id, local FROM statuses WHERE id < ${beforeId} ORDER BY id DESC LIMIT ${SLICE}
`;

/** Locks and returns those that still exist. */
export const lockStatuses = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE
  `);

/**
 * Selects those of the remote statuses with which nobody here was involved: without favourites, bookmarks, votes,
 * answers to calendar events, notifications, mentions, replies, quotes and boosts of local statuses, conversations with
 * local people, direct conversations, filters, reports, and pins.
 */
export const selectUntouched = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    WHERE s.id = ANY(${ids}::bigint[]) AND NOT s.local
      AND NOT EXISTS (SELECT FROM favourites f JOIN accounts a ON a.id = f.account_id
        WHERE f.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM bookmarks b WHERE b.status_id = s.id)
      AND NOT EXISTS (SELECT FROM status_pins p WHERE p.status_id = s.id)
      AND NOT EXISTS (SELECT FROM mentions m JOIN accounts a ON a.id = m.account_id
        WHERE m.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM accounts a
        WHERE a.id = s.in_reply_to_account_id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM statuses o WHERE o.id = s.reblog_of_id AND o.local)
      AND NOT EXISTS (SELECT FROM statuses c WHERE c.conversation_id = s.conversation_id AND c.local)
      AND NOT EXISTS (SELECT FROM quotes q JOIN accounts a ON a.id = q.quoted_account_id
        WHERE q.status_id = s.id AND a.domain IS NULL)
      AND NOT EXISTS (SELECT FROM polls p JOIN poll_votes v ON v.poll_id = p.id
        WHERE p.status_id = s.id)
      AND NOT EXISTS (SELECT FROM event_answers r WHERE r.status_id = s.id)
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.status_id = s.id)
      AND NOT EXISTS (SELECT FROM account_conversation_statuses c WHERE c.status_id = s.id)
      AND NOT EXISTS (SELECT FROM filter_statuses f WHERE f.status_id = s.id)
      AND NOT EXISTS (SELECT FROM reports r
        WHERE r.target_account_id = s.account_id AND s.id = ANY(r.status_ids))
  `);

/** Selects those that no other status replies to, boosts or quotes. */
export const selectUnreferenced = (db: Db, ids: string[]): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT g.id FROM unnest(${ids}::bigint[]) AS g (id)
    WHERE NOT EXISTS (SELECT FROM statuses r
        WHERE r.in_reply_to_id = g.id AND r.id <> ALL(${ids}::bigint[]))
      AND NOT EXISTS (SELECT FROM statuses r
        WHERE r.reblog_of_id = g.id AND r.id <> ALL(${ids}::bigint[]))
      AND NOT EXISTS (SELECT FROM quotes q
        WHERE q.quoted_status_id = g.id AND q.status_id <> ALL(${ids}::bigint[]))
  `);
