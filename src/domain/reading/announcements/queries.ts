// All SQL of the announcements slice.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import type { AnnouncementRow, ReactionRow } from "./tables.ts";

/** Key that is invalidated when an announcement is made or deleted. */
export const ANNOUNCEMENTS_CHANGED = "announcements:";

export const selectAnyAnnouncement = async (db: Db): Promise<boolean> =>
  (await db`SELECT FROM announcements LIMIT 1`).length > 0;

const columns = (db: Db) => db`
  a.id, a.text, a.starts_at, a.ends_at, a.all_day, a.scheduled_at, a.published_at, a.updated_at
`;

/** Accepts announcements that are published and not over: one of whole days lasts to the end of its last day (UTC). */
const isCurrent = (db: Db, now: Date) => db`
  a.published_at IS NOT NULL AND (
    a.ends_at IS NULL
    OR a.ends_at > ${now}
    OR a.all_day AND date_trunc('day', a.ends_at, 'UTC') + interval '1 day' > ${now}
  )
`;

type ReadRow = AnnouncementRow & { read: boolean };

export const selectCurrent = (db: Db, viewerId: string, now: Date) => db<ReadRow[]>`
  SELECT ${columns(db)}, EXISTS (
    SELECT FROM announcement_dismissals d
    WHERE d.announcement_id = a.id AND d.account_id = ${viewerId}
  ) AS read
  FROM announcements a WHERE ${isCurrent(db, now)}
  ORDER BY coalesce(a.starts_at, a.scheduled_at, a.published_at), a.id
`;

export const selectCurrentOne = (db: Db, id: string, now: Date) =>
  firstRow(db<AnnouncementRow[]>`
    SELECT ${columns(db)} FROM announcements a WHERE a.id = ${id} AND ${isCurrent(db, now)}
  `);

/** Selects all, newest first, for the command line. */
export const selectAll = (db: Db) => db<AnnouncementRow[]>`
  SELECT ${columns(db)} FROM announcements a ORDER BY a.id DESC
`;

type NewAnnouncement = Omit<AnnouncementRow, "id" | "updated_at">;

export const insertAnnouncement = async (db: Db, announcement: NewAnnouncement, now: Date) => {
  const row = { ...announcement, created_at: now, updated_at: now };
  const id = await onlyValue(
    db<{ id: string }[]>`INSERT INTO announcements ${db(row)} RETURNING id`,
  );
  invalidate(db, ANNOUNCEMENTS_CHANGED);
  return id;
};

/** Publishes what is due. */
export const publishDue = (db: Db, id: string, now: Date) => db`
  UPDATE announcements SET published_at = ${now}, updated_at = ${now}
  WHERE id = ${id} AND published_at IS NULL AND scheduled_at <= ${now}
`;

export const changeAnnouncement = (
  db: Db,
  id: string,
  change: Omit<NewAnnouncement, "published_at">,
  now: Date,
) => db`
  UPDATE announcements SET ${db({ ...change, updated_at: now })} WHERE id = ${id}
`;

/** Returns its text; null when there was none. */
export const deleteAnnouncement = async (db: Db, id: string): Promise<string | null> => {
  const text = await firstValue(db<{ text: string }[]>`
    DELETE FROM announcements WHERE id = ${id} RETURNING text
  `);
  invalidate(db, ANNOUNCEMENTS_CHANGED);
  return text;
};

export const insertDismissal = (db: Db, accountId: string, id: string) => db`
  INSERT INTO announcement_dismissals (account_id, announcement_id) VALUES (${accountId}, ${id})
  ON CONFLICT (account_id, announcement_id) DO NOTHING
`;

/** Orders names by their first use. */
export const selectReactions = (db: Db, ids: string[], viewerId: string | null) => db<
  ReactionRow[]
>`
  SELECT announcement_id, name, count(*)::int AS count,
    coalesce(bool_or(account_id = ${viewerId}), false) AS me
  FROM announcement_reactions WHERE announcement_id = ANY(${ids}::bigint[])
  GROUP BY announcement_id, name ORDER BY min(id)
`;

/** Serialises what is judged by an announcement: its change, and adding reactions, whose number has a limit. */
export const lockAnnouncement = (db: Db, id: string) =>
  firstRow(db<AnnouncementRow[]>`
    SELECT ${columns(db)} FROM announcements a WHERE a.id = ${id} FOR UPDATE
  `);

/** Counts the other names among its reactions. */
export const countOtherNames = (db: Db, id: string, name: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(DISTINCT name)::int AS count FROM announcement_reactions
    WHERE announcement_id = ${id} AND name <> ${name}
  `);

/** Returns false when it existed already. */
export const insertReaction = (db: Db, id: string, accountId: string, name: string) =>
  hasRows(db`
    INSERT INTO announcement_reactions (announcement_id, account_id, name)
    VALUES (${id}, ${accountId}, ${name}) ON CONFLICT (announcement_id, account_id, name) DO NOTHING
  `);

/** Returns false when there was none. */
export const deleteReaction = (db: Db, id: string, accountId: string, name: string) =>
  hasRows(db`
    DELETE FROM announcement_reactions
    WHERE announcement_id = ${id} AND account_id = ${accountId} AND name = ${name}
  `);

export const countReactions = (db: Db, id: string, name: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM announcement_reactions
    WHERE announcement_id = ${id} AND name = ${name}
  `);
