// SQL of who may have a copy of a local status in addition to the author's followers (everybody involved with it, and
// those to whom local people passed it on), and of who knows an account: everybody who was involved with it, or may
// have a post of it.

import type { Db } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { openTo, openToFollowers } from "./fragments.ts";
import type { Reach } from "./removed.ts";

/** Replies, and replies to those, of one status: servers fetch the ancestors of a post. */
const MAX_ANSWERS = 10_000;

/**
 * Selects the reach of each local status, for a reblog of those whom it notifies. Suspended accounts have copies all
 * the same: they are left out for readers, but not for deletions.
 */
export const selectReach = async (
  db: Db,
  ids: string[],
  { suspended }: { suspended: boolean },
): Promise<Map<string, Reach>> => {
  if (ids.length === 0) return new Map();
  const rows = await db<(Reach & { id: string })[]>`
    SELECT s.id, r.inboxes, r."sharerIds"
    FROM statuses s
    CROSS JOIN LATERAL (
      WITH RECURSIVE thread AS (
        SELECT a.id, a.account_id, ${openToFollowers(db, "a")} AS shares
        FROM statuses a WHERE a.in_reply_to_id = s.id
        UNION
        SELECT a.id, a.account_id, ${openToFollowers(db, "a")}
        FROM thread t JOIN statuses a ON a.in_reply_to_id = t.id
      ), answers AS (
        SELECT account_id, shares FROM thread LIMIT ${MAX_ANSWERS}
      ), known AS (
        SELECT account_id, true AS shares FROM statuses WHERE reblog_of_id = s.id
        UNION SELECT account_id, shares FROM answers
        UNION SELECT account_id, true FROM quotes WHERE quoted_status_id = s.id
        UNION SELECT account_id, false FROM favourites WHERE status_id = s.id
        UNION SELECT v.account_id, false
          FROM polls p JOIN poll_votes v ON v.poll_id = p.id WHERE p.status_id = s.id
        UNION SELECT account_id, false FROM event_answers WHERE status_id = s.id
        UNION SELECT account_id, false FROM mentions WHERE status_id = s.id
        UNION SELECT quoted_account_id, false FROM quotes WHERE status_id = s.id
        UNION SELECT account_id, false FROM statuses WHERE id = s.reblog_of_id
        UNION SELECT s.in_reply_to_account_id, false
          WHERE ${openTo(db, "elsewhere")} OR s.awaits_approval OR s.approval_uri IS NOT NULL
      )
      SELECT
        coalesce(array_agg(DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url))
          FILTER (WHERE a.domain IS NOT NULL), '{}') AS inboxes,
        coalesce(array_agg(DISTINCT a.id::text)
          FILTER (WHERE a.domain IS NULL AND k.shares), '{}') AS "sharerIds"
      FROM known k JOIN accounts a ON a.id = k.account_id
      WHERE a.inbox_url <> '' AND (${suspended} OR a.suspended_at IS NULL)
    ) AS r
    WHERE s.id = ANY(${ids}::bigint[]) AND s.local
  `;
  return new Map(
    rows.map(({ id, inboxes, sharerIds }) => [
      id,
      { inboxes: [...inboxes], sharerIds: [...sharerIds] },
    ]),
  );
};

/**
 * Selects the inboxes of servers that know the account: of those it follows and of its followers, of accounts it
 * mentioned, replied to, boosted, quoted, favourited, featured or voted for, or to whose calendar events it answered,
 * of accounts that did the same with it, and of the followers of local people who passed its posts on.
 */
export const selectRelatedInboxes = (db: Db, id: string): Promise<string[]> =>
  valuesOf(db<{ inbox: string }[]>`
    WITH own AS MATERIALIZED (
      SELECT id, in_reply_to_account_id, reblog_of_id FROM statuses WHERE account_id = ${id}
    ), sharers AS MATERIALIZED (
      SELECT r.account_id, r.local FROM own JOIN statuses r ON r.reblog_of_id = own.id
      UNION SELECT s.account_id, s.local AND ${openToFollowers(db)}
        FROM statuses s WHERE s.in_reply_to_account_id = ${id}
      UNION SELECT s.account_id, s.local
        FROM quotes q JOIN statuses s ON s.id = q.status_id WHERE q.quoted_account_id = ${id}
    ), known AS (
      SELECT account_id AS other FROM follows WHERE target_account_id = ${id}
      UNION SELECT target_account_id FROM follows WHERE account_id = ${id}
      UNION SELECT account_id FROM follow_requests WHERE target_account_id = ${id}
      UNION SELECT target_account_id FROM follow_requests WHERE account_id = ${id}
      UNION SELECT target_account_id FROM blocks WHERE account_id = ${id}
      UNION SELECT m.account_id FROM own JOIN mentions m ON m.status_id = own.id
      UNION SELECT s.account_id FROM mentions m JOIN statuses s ON s.id = m.status_id WHERE m.account_id = ${id}
      UNION SELECT in_reply_to_account_id FROM own
      UNION SELECT o.account_id FROM own JOIN statuses o ON o.id = own.reblog_of_id
      UNION SELECT q.quoted_account_id FROM own JOIN quotes q ON q.status_id = own.id
      UNION SELECT s.account_id FROM favourites f JOIN statuses s ON s.id = f.status_id WHERE f.account_id = ${id}
      UNION SELECT f.account_id FROM own JOIN favourites f ON f.status_id = own.id
      UNION SELECT s.account_id
        FROM poll_votes v JOIN polls p ON p.id = v.poll_id JOIN statuses s ON s.id = p.status_id
        WHERE v.account_id = ${id}
      UNION SELECT v.account_id
        FROM own JOIN polls p ON p.status_id = own.id JOIN poll_votes v ON v.poll_id = p.id
      UNION SELECT s.account_id
        FROM event_answers r JOIN statuses s ON s.id = r.status_id WHERE r.account_id = ${id}
      UNION SELECT r.account_id FROM own JOIN event_answers r ON r.status_id = own.id
      UNION SELECT i.account_id
        FROM collections c JOIN collection_items i ON i.collection_id = c.id WHERE c.account_id = ${id}
      UNION SELECT c.account_id
        FROM collection_items i JOIN collections c ON c.id = i.collection_id WHERE i.account_id = ${id}
      UNION SELECT account_id FROM sharers
      UNION SELECT f.account_id
        FROM sharers s JOIN follows f ON f.target_account_id = s.account_id AND NOT f.local
        WHERE s.local
    )
    SELECT DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
    FROM known JOIN accounts a ON a.id = known.other
    WHERE a.domain IS NOT NULL AND a.inbox_url <> ''
  `);

/** Newest posts and acts of an account in which contacts are searched. */
const RECENT = 200;

/**
 * Selects the inboxes of the account's recent contacts, in addition to those of its followers, which get a changed
 * profile. Others read it when they meet the account again.
 */
export const selectRecentInboxes = (db: Db, id: string): Promise<string[]> =>
  valuesOf(db<{ inbox: string }[]>`
    WITH own AS MATERIALIZED (
      SELECT id, in_reply_to_account_id, reblog_of_id FROM statuses
      WHERE account_id = ${id} ORDER BY id DESC LIMIT ${RECENT}
    ), known AS (
      (SELECT target_account_id AS other FROM follows
        WHERE account_id = ${id} ORDER BY id DESC LIMIT ${RECENT})
      UNION (SELECT target_account_id FROM follow_requests WHERE account_id = ${id} LIMIT ${RECENT})
      UNION (SELECT account_id FROM follow_requests WHERE target_account_id = ${id} LIMIT ${RECENT})
      UNION SELECT m.account_id FROM own JOIN mentions m ON m.status_id = own.id
      UNION SELECT in_reply_to_account_id FROM own
      UNION SELECT o.account_id FROM own JOIN statuses o ON o.id = own.reblog_of_id
      UNION SELECT s.account_id FROM (
        SELECT status_id FROM favourites WHERE account_id = ${id} ORDER BY id DESC LIMIT ${RECENT}
      ) AS f JOIN statuses s ON s.id = f.status_id
    )
    SELECT DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
    FROM known JOIN accounts a ON a.id = known.other
    WHERE a.domain IS NOT NULL AND a.suspended_at IS NULL AND a.inbox_url <> ''
  `);
