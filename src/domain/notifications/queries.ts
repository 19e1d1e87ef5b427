// All SQL of the notifications slice.

import type { Db, Fragment } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { Happening, NotificationRow, NotificationType } from "./tables.ts";

/**
 * The two do not block each other, and the recipient neither muted the sender with notifications nor
 * blocks the sender's domain.
 */
export const heard = (db: Db, recipient: Fragment, sender: Fragment, now: Date) => db`
  NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = ${recipient} AND b.target_account_id = ${sender}
  )
  AND NOT EXISTS (
    SELECT FROM blocks b WHERE b.account_id = ${sender} AND b.target_account_id = ${recipient}
  )
  AND NOT EXISTS (
    SELECT FROM mutes m
    WHERE m.account_id = ${recipient} AND m.target_account_id = ${sender}
      AND m.hide_notifications AND (m.expires_at IS NULL OR m.expires_at > ${now})
  )
  AND NOT EXISTS (
    SELECT FROM account_domain_blocks d
    WHERE d.account_id = ${recipient}
      AND d.domain = (SELECT domain FROM accounts WHERE id = ${sender})
  )
`;

/** The recipient did not mute the conversation of the status. */
export const inEarshot = (db: Db, recipient: Fragment, statusId: Fragment) => db`
  NOT EXISTS (
    SELECT FROM conversation_mutes c JOIN statuses s ON s.conversation_id = c.conversation_id
    WHERE c.account_id = ${recipient} AND s.id = ${statusId}
  )
`;

/** What the notification tells of is still so: a job may come after the act was taken back. */
const stillSo = (db: Db, { fromId, type, statusId = null }: Happening) => {
  switch (type) {
    case "follow":
      return db`EXISTS (SELECT FROM follows f
        WHERE f.account_id = ${fromId} AND f.target_account_id = r.id)`;
    case "follow_request":
      return db`EXISTS (SELECT FROM follow_requests f
        WHERE f.account_id = ${fromId} AND f.target_account_id = r.id)`;
    case "favourite":
      return db`EXISTS (SELECT FROM favourites f
        WHERE f.account_id = ${fromId} AND f.status_id = ${statusId})`;
    case "reblog":
      return db`EXISTS (SELECT FROM statuses s
        WHERE s.account_id = ${fromId} AND s.reblog_of_id = ${statusId})`;
    case "mention":
      return db`EXISTS (SELECT FROM mentions m
        WHERE m.status_id = ${statusId} AND m.account_id = r.id)`;
    default:
      return db`true`;
  }
};

export type Candidate = { id: string; following: boolean; blocked_by: boolean };

/**
 * Those of the accounts who may be told, with how they stand to the author of the status: local,
 * not the sender, nothing between them, neither suspended.
 */
export const selectCandidates = (
  db: Db,
  accountIds: string[],
  happening: Happening,
  authorId: string | null,
  now: Date,
) => db<Candidate[]>`
  SELECT
    r.id,
    EXISTS (SELECT FROM follows f
      WHERE f.account_id = r.id AND f.target_account_id = ${authorId}) AS following,
    EXISTS (SELECT FROM blocks b
      WHERE b.account_id = ${authorId} AND b.target_account_id = r.id) AS blocked_by
  FROM accounts r
  JOIN accounts s ON s.id = ${happening.fromId} AND s.suspended_at IS NULL
  WHERE r.id = ANY(${accountIds}::bigint[]) AND r.domain IS NULL AND r.suspended_at IS NULL
    -- The end of a poll is told to its author as well.
    AND (r.id <> s.id OR ${happening.type} IN ('poll', 'annual_report'))
    AND ${heard(db, db`r.id`, db`s.id`, now)}
    AND ${inEarshot(db, db`r.id`, db`${happening.statusId ?? null}::bigint`)}
    AND ${stillSo(db, happening)}
`;

/** The new ones; those that are there already stay as they are. */
export const insertNotifications = async (
  db: Db,
  accountIds: string[],
  { fromId, type, statusId = null, subjectId = null }: Happening,
  now: Date,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    INSERT INTO notifications
      (account_id, from_account_id, type, status_id, subject_id, created_at)
    SELECT id, ${fromId}::bigint, ${type}, ${statusId}::bigint, ${subjectId}::bigint,
      ${now}::timestamptz
    FROM unnest(${accountIds}::bigint[]) AS r (id)
    ON CONFLICT DO NOTHING
    RETURNING id
  `;
  return rows.map((row) => row.id);
};

/** Older ones of the same happening, which a newer one replaces. */
export const deleteOlder = (db: Db, accountIds: string[], happening: Happening, before: Date) => db`
  DELETE FROM notifications
  WHERE account_id = ANY(${accountIds}::bigint[]) AND type = ${happening.type}
    AND from_account_id = ${happening.fromId}
    AND coalesce(status_id, subject_id, 0) = ${happening.statusId ?? happening.subjectId ?? "0"}
    AND created_at < ${before}
`;

export const deleteHappening = (
  db: Db,
  { fromId, type, statusId }: Happening,
  accountId?: string,
) => db`
  DELETE FROM notifications
  WHERE from_account_id = ${fromId} AND type = ${type}
    AND coalesce(status_id, 0) = ${statusId ?? "0"}
    ${accountId === undefined ? db`` : db`AND account_id = ${accountId}`}
`;

export const deleteNotification = async (db: Db, accountId: string, id: string) => {
  const gone = await db`DELETE FROM notifications WHERE id = ${id} AND account_id = ${accountId}`;
  return gone.count > 0;
};

export const deleteAll = (db: Db, accountId: string) => db`
  DELETE FROM notifications WHERE account_id = ${accountId}
`;

const columns = (db: Db) =>
  db`n.id, n.account_id, n.from_account_id, n.type, n.status_id, n.subject_id,
    n.created_at`;

export const selectNotification = async (db: Db, id: string, now: Date) => {
  const [row] = await db<NotificationRow[]>`
    SELECT ${columns(db)}
    FROM notifications n
    JOIN accounts f ON f.id = n.from_account_id AND f.suspended_at IS NULL
    WHERE n.id = ${id} AND ${heard(db, db`n.account_id`, db`n.from_account_id`, now)}
  `;
  return row ?? null;
};

export type NotificationFilter = { types: NotificationType[]; fromId: string | null };

/** Those that are shown: none whose sender is suspended, blocked either way or muted now. */
const shown = (db: Db, accountId: string, { types, fromId }: NotificationFilter, now: Date) => db`
  FROM notifications n
  JOIN accounts f ON f.id = n.from_account_id AND f.suspended_at IS NULL
  WHERE n.account_id = ${accountId} AND n.type = ANY(${types})
    ${fromId === null ? db`` : db`AND n.from_account_id = ${fromId}`}
    AND ${heard(db, db`n.account_id`, db`n.from_account_id`, now)}
`;

export const selectPage = (
  db: Db,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
  now: Date,
) => db<NotificationRow[]>`
  SELECT ${columns(db)} ${shown(db, accountId, filter, now)}
    AND n.id > ${lowerBound(page)} AND n.id < ${upperBound(page)}
  ORDER BY n.id ${ascending(page) ? db`ASC` : db`DESC`}
  LIMIT ${page.limit}
`;

/** How many are newer than the marker of what was read; counts no further than `limit`. */
export const countUnread = async (
  db: Db,
  { userId, accountId }: { userId: string; accountId: string },
  filter: NotificationFilter,
  limit: number,
  now: Date,
): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT ${shown(db, accountId, filter, now)}
        AND n.id > coalesce((SELECT last_read_id FROM markers
          WHERE user_id = ${userId} AND timeline = 'notifications'), 0)
      LIMIT ${limit}
    ) unread
  `;
  return row!.count;
};

/** Followers here who asked to be told of every post, and who read its language. */
export const selectNotifyingFollowers = async (
  db: Db,
  authorId: string,
  language: string | null,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT f.account_id AS id
    FROM follows f
    WHERE f.target_account_id = ${authorId} AND f.notify AND f.local
      AND (f.languages IS NULL OR ${language}::text IS NULL OR ${language} = ANY(f.languages))
  `;
  return rows.map((row) => row.id);
};

/** People here who reblogged a status. */
export const selectLocalRebloggers = async (db: Db, statusId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.account_id AS id
    FROM statuses s JOIN accounts a ON a.id = s.account_id AND a.domain IS NULL
    WHERE s.reblog_of_id = ${statusId}
  `;
  return rows.map((row) => row.id);
};
