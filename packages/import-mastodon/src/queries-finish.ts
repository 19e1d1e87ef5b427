// SQL that computes what follows from the imported rows. Every pass computes all of it again.

import { isoDate } from "./uses.ts";
import type { Db } from "./uses.ts";

/** Inserts a row of counts for everything that has none. */
export const insertMissingStats = async (db: Db): Promise<void> => {
  await db`
    INSERT INTO account_stats (account_id) SELECT id FROM accounts ON CONFLICT DO NOTHING
  `;
  await db`
    INSERT INTO status_stats (status_id)
    SELECT s.id FROM statuses s
    WHERE NOT EXISTS (SELECT FROM status_stats c WHERE c.status_id = s.id)
    ON CONFLICT DO NOTHING
  `;
};

/**
 * Marks accounts that were limited or suspended with their server, at the same moment; they are free when its block
 * ends.
 */
export const markBlockedWithDomain = (db: Db) => db`
  UPDATE accounts a SET
    suspended_with_domain = coalesce(b.severity = 'suspend' AND a.suspended_at = b.created_at, false),
    silenced_with_domain = coalesce(b.severity = 'silence' AND a.silenced_at = b.created_at, false)
  FROM domain_blocks b
  WHERE (a.domain = b.domain OR a.domain::text LIKE '%.' || b.domain::text)
    AND (a.suspended_at = b.created_at OR a.silenced_at = b.created_at)
`;

/** Counts the history of tags since a day. */
export const countTagDays = async (db: Db, since: Date): Promise<void> => {
  const day = isoDate(since);
  await db`DELETE FROM tag_day_accounts WHERE day >= ${day}::date`;
  await db`
    INSERT INTO tag_day_accounts (tag_id, day, account_id)
    SELECT DISTINCT u.tag_id, (s.created_at AT TIME ZONE 'UTC')::date, u.account_id
    FROM statuses s JOIN statuses_tags u ON u.status_id = s.id
    WHERE s.created_at >= ${day}::date AND u.account_id IS NOT NULL
    ON CONFLICT DO NOTHING
  `;
  await db`DELETE FROM tag_days WHERE day >= ${day}::date`;
  await db`
    INSERT INTO tag_days (tag_id, day, uses, accounts)
    SELECT u.tag_id, (s.created_at AT TIME ZONE 'UTC')::date, count(*), count(DISTINCT u.account_id)
    FROM statuses s JOIN statuses_tags u ON u.status_id = s.id
    WHERE s.created_at >= ${day}::date AND u.account_id IS NOT NULL
    GROUP BY 1, 2
    ON CONFLICT DO NOTHING
  `;
};

/** Counts people who were here lately as active. */
export const insertWeeks = (db: Db) => db`
  INSERT INTO user_weeks (user_id, week)
  SELECT id, date_trunc('week', last_active_at) FROM users
  WHERE last_active_at > now() - interval '84 days'
  ON CONFLICT DO NOTHING
`;

/** Selects posts that local people favourited or bookmarked, some at a time, so that they can search them. */
export const selectMarked = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    WHERE s.id > ${after} AND NOT s.local AND s.reblog_of_id IS NULL AND (
      EXISTS (SELECT FROM favourites f JOIN users u ON u.account_id = f.account_id WHERE f.status_id = s.id)
      OR EXISTS (SELECT FROM bookmarks b JOIN users u ON u.account_id = b.account_id WHERE b.status_id = s.id)
    )
    ORDER BY s.id LIMIT ${limit}
  `;
  return rows.map(({ id }) => id);
};

type OpenPoll = { status_id: string; expires_at: Date };

export const selectOpenPolls = (db: Db, now: Date) => db<OpenPoll[]>`
  SELECT status_id, expires_at FROM polls WHERE expires_at > ${now}
`;

export const selectScheduledTimes = (db: Db) => db<{ id: string; scheduled_at: Date }[]>`
  SELECT id, scheduled_at FROM scheduled_statuses
`;

/** Updates statistics, so that the first queries get good plans. */
export const analyze = (db: Db) => db`ANALYZE`;

/** Gives new rows ids after those that were imported. */
export const passSequences = (db: Db) => db`
  SELECT
    setval('notifications_id_seq', greatest((SELECT max(id) FROM notifications), (SELECT last_value FROM notifications_id_seq))),
    setval('push_subscriptions_id_seq',
      greatest((SELECT max(id) FROM push_subscriptions), (SELECT last_value FROM push_subscriptions_id_seq)))
`;

/** Sets the title unless one was imported. */
export const insertTitle = (db: Db, title: string) => db`
  INSERT INTO settings (name, value) VALUES ('title', ${db.json(title)}) ON CONFLICT (name) DO NOTHING
`;
