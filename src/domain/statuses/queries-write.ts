// SQL that changes statuses: counts, edits, links; and that counts again, for people here and their posts (those of other
// servers are what these servers say). queries-create.ts inserts new ones, queries-acts.ts has what people do with them.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { mediaJson } from "../media/fragments.ts";
import type { StatusValues } from "./tables.ts";
import { closedToFollowers, openToFollowers } from "./fragments.ts";
import type { NewMention } from "./queries-create.ts";

export const statusKeys = (ids: string[]) => ids.map((id) => `status:${id}` as const);

export type StatusDelta = {
  id: string;
  replies?: number;
  reblogs?: number;
  favourites?: number;
  quotes?: number;
};

/** In the order of the ids, so that two of these cannot deadlock; each id once. */
export const addStatusCounts = async (db: Db, deltas: StatusDelta[]): Promise<void> => {
  if (deltas.length === 0) return;
  await db`
    INSERT INTO status_stats AS s
      (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
    SELECT id, coalesce(replies, 0), coalesce(reblogs, 0), coalesce(favourites, 0),
      coalesce(quotes, 0)
    FROM jsonb_to_recordset(${db.json(deltas)})
      AS d (id bigint, replies bigint, reblogs bigint, favourites bigint, quotes bigint)
    ORDER BY id
    ON CONFLICT (status_id) DO UPDATE SET
      replies_count = greatest(0, s.replies_count + excluded.replies_count),
      reblogs_count = greatest(0, s.reblogs_count + excluded.reblogs_count),
      favourites_count = greatest(0, s.favourites_count + excluded.favourites_count),
      quotes_count = greatest(0, s.quotes_count + excluded.quotes_count)
  `;
  invalidate(db, ...statusKeys(deltas.map(({ id }) => id)));
};

export const replaceMentions = async (
  db: Db,
  statusId: string,
  mentions: NewMention[],
): Promise<void> => {
  await db`DELETE FROM mentions WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
  if (mentions.length === 0) return;
  await db`
    INSERT INTO mentions (status_id, account_id, silent, direct)
    SELECT s.id, "accountId", bool_and(silent), ${closedToFollowers(db)}
    FROM jsonb_to_recordset(${db.json(mentions)}) AS m ("accountId" bigint, silent boolean)
    JOIN statuses s ON s.id = ${statusId}
    GROUP BY s.id, "accountId"
  `;
};

/** Of the earlier versions of a status the first and the newest are kept, so many in all. */
export const KEPT_EDITS = 100;

/** Stores the current version as an earlier one. */
export const insertEdit = (db: Db, statusId: string) => db`
  WITH dropped AS (
    DELETE FROM status_edits e
    WHERE e.status_id = ${statusId}
      AND e.id > (SELECT min(id) FROM status_edits WHERE status_id = ${statusId})
      AND e.id < (
        SELECT id FROM status_edits WHERE status_id = ${statusId}
        ORDER BY id DESC OFFSET ${KEPT_EDITS - 3} LIMIT 1
      )
  )
  INSERT INTO status_edits
    (status_id, text, content, spoiler_text, sensitive, emojis, poll_options, media, created_at)
  SELECT
    id, text, content, spoiler_text, sensitive, emojis,
    (SELECT options FROM polls p WHERE p.status_id = s.id),
    coalesce((
      SELECT json_agg(${mediaJson(db)} ORDER BY ma.position)
      FROM media_attachments ma WHERE ma.status_id = s.id
    ), '[]'),
    coalesce(edited_at, created_at)
  FROM statuses s WHERE id = ${statusId}
`;

type StatusUpdate = Partial<StatusValues>;

export const updateStatus = async (db: Db, statusId: string, change: StatusUpdate) => {
  const { emojis, card_hash: hash, ...rest } = change;
  const json = emojis && { emojis: db.json(emojis as never) };
  const card = hash === undefined ? {} : { card_hash: hash && Buffer.from(hash.slice(2), "hex") };
  await db`
    UPDATE statuses SET ${db({ ...rest, ...json, ...card } as never)} WHERE id = ${statusId}
  `;
  invalidate(db, `status:${statusId}`);
};

export const lockStatus = async (db: Db, statusId: string): Promise<boolean> =>
  (await db`SELECT 1 FROM statuses WHERE id = ${statusId} FOR UPDATE`).length > 0;

/** Links of public statuses; `hash` in hexadecimal. */
export const insertLinks = async (
  db: Db,
  rows: { statusId: string; hash: string }[],
): Promise<void> => {
  await db`
    INSERT INTO status_links (url_hash, status_id)
    SELECT decode(hash, 'hex'), "statusId"
    FROM jsonb_to_recordset(${db.json(rows)}) AS l ("statusId" bigint, hash text)
    ON CONFLICT (url_hash, status_id) DO NOTHING
  `;
};

export const deleteLinks = (db: Db, statusId: string) => db`
  DELETE FROM status_links WHERE status_id = ${statusId}
`;

/** Gives those that were not like this yet. */
export const updateSensitive = async (
  db: Db,
  ids: string[],
  sensitive: boolean,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    UPDATE statuses SET sensitive = ${sensitive}
    WHERE id = ANY(${ids}::bigint[]) AND sensitive <> ${sensitive} RETURNING id
  `;
  invalidate(db, ...rows.map(({ id }) => `status:${id}` as const));
  return rows.map(({ id }) => id);
};

/** Of a remote status: to what its server says, or what is stored here where that is more. */
export const raiseCounts = async (
  db: Db,
  id: string,
  counts: { favourites: number | null; reblogs: number | null; replies: number | null },
): Promise<void> => {
  await db`
    UPDATE status_stats SET
      favourites_count = coalesce(greatest(
        ${counts.favourites}::bigint, (SELECT count(*) FROM favourites f WHERE f.status_id = ${id})
      ), favourites_count),
      reblogs_count = coalesce(greatest(
        ${counts.reblogs}::bigint, (SELECT count(*) FROM statuses r WHERE r.reblog_of_id = ${id})
      ), reblogs_count),
      replies_count = greatest(${counts.replies}::bigint, replies_count)
    WHERE status_id = ${id}
  `;
  invalidate(db, `status:${id}`);
};

/** Locked before they are counted: who counts one up waits, and adds to what was counted. */
export const lockAccountCounts = async (
  db: Db,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.account_id AS id FROM account_stats s JOIN users u ON u.account_id = s.account_id
    WHERE s.account_id > ${after} ORDER BY s.account_id LIMIT ${limit} FOR UPDATE OF s
  `;
  return rows.map(({ id }) => id);
};

/** Returns how many were wrong. */
export const recountAccounts = async (db: Db, ids: string[]): Promise<number> => {
  const rows = await db<{ account_id: string }[]>`
    UPDATE account_stats t SET
      statuses_count = c.statuses, followers_count = c.followers, following_count = c.following
    FROM (
      SELECT given.id,
        (SELECT count(*) FROM statuses s WHERE s.account_id = given.id AND ${openToFollowers(db)}) AS statuses,
        (SELECT count(*) FROM follows f WHERE f.target_account_id = given.id) AS followers,
        (SELECT count(*) FROM follows f WHERE f.account_id = given.id) AS following
      FROM unnest(${ids}::bigint[]) AS given (id)
    ) c
    WHERE t.account_id = c.id AND (t.statuses_count, t.followers_count, t.following_count)
      IS DISTINCT FROM (c.statuses, c.followers, c.following)
    RETURNING t.account_id
  `;
  invalidate(db, ...rows.map(({ account_id: id }) => `account:${id}` as const));
  return rows.length;
};

export const lockStatusCounts = async (db: Db, after: string, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT t.status_id AS id FROM statuses s JOIN status_stats t ON t.status_id = s.id
    WHERE s.local AND s.id > ${after} ORDER BY s.id LIMIT ${limit} FOR UPDATE OF t
  `;
  return rows.map(({ id }) => id);
};

export const recountStatuses = async (db: Db, ids: string[]): Promise<number> => {
  const rows = await db<{ status_id: string }[]>`
    UPDATE status_stats t SET
      replies_count = c.replies, reblogs_count = c.reblogs, favourites_count = c.favourites,
      quotes_count = c.quotes
    FROM (
      SELECT given.id,
        (SELECT count(*) FROM statuses s WHERE s.in_reply_to_id = given.id AND ${openToFollowers(db)}) AS replies,
        (SELECT count(*) FROM statuses s WHERE s.reblog_of_id = given.id) AS reblogs,
        (SELECT count(*) FROM favourites f WHERE f.status_id = given.id) AS favourites,
        (SELECT count(*) FROM quotes q WHERE q.quoted_status_id = given.id AND q.state = 'accepted') AS quotes
      FROM unnest(${ids}::bigint[]) AS given (id)
    ) c
    WHERE t.status_id = c.id
      AND (t.replies_count, t.reblogs_count, t.favourites_count, t.quotes_count)
        IS DISTINCT FROM (c.replies, c.reblogs, c.favourites, c.quotes)
    RETURNING t.status_id
  `;
  invalidate(db, ...rows.map(({ status_id: id }) => `status:${id}` as const));
  return rows.length;
};

export const countCounted = async (db: Db): Promise<{ accounts: number; statuses: number }> => {
  const [row] = await db<[{ accounts: number; statuses: number }]>`
    SELECT (SELECT count(*)::int FROM users) AS accounts,
      (SELECT count(*)::int FROM statuses WHERE local) AS statuses
  `;
  return row;
};
