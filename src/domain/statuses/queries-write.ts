// SQL that changes statuses: counts, edits, marks, favourites, mutes, links.
// queries-create.ts inserts new ones, queries.ts reads them.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { StoredEvent } from "../../platform/outbox/index.ts";
import { eventInsert } from "../../platform/outbox/queries.ts";
import { mediaJson } from "../media/fragments.ts";
import type { StatusValues } from "./columns.ts";
import { closedToFollowers } from "./fragments.ts";
import type { NewMention } from "./queries-create.ts";
import { markKey } from "./queries-viewer.ts";

const statusKeys = (ids: string[]) => ids.map((id) => `status:${id}` as const);

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

export type StatusUpdate = Partial<StatusValues>;

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

/** Bookmarks and pins are rows of account × status; true when it is new. */
export const insertMark = async (
  db: Db,
  table: "bookmarks" | "status_pins",
  accountId: string,
  statusId: string,
): Promise<boolean> => {
  const rows = await db`
    INSERT INTO ${db(table)} (account_id, status_id) VALUES (${accountId}, ${statusId})
    ON CONFLICT (account_id, status_id) DO NOTHING RETURNING 1
  `;
  if (rows.length > 0) invalidate(db, markKey(accountId, statusId));
  return rows.length > 0;
};

/** True when there was one. */
export const deleteMark = async (
  db: Db,
  table: "bookmarks" | "status_pins",
  accountId: string,
  statusId: string,
): Promise<boolean> => {
  const rows = await db`
    DELETE FROM ${db(table)} WHERE account_id = ${accountId} AND status_id = ${statusId}
    RETURNING 1
  `;
  if (rows.length > 0) invalidate(db, markKey(accountId, statusId));
  return rows.length > 0;
};

export type FavouriteOf = { accountId: string; statusId: string };

type FavouriteEvent = "status.favourited" | "status.unfavourited";
type StoredFavourite = StoredEvent<FavouriteEvent>;

const favouriteEvents = async (
  db: Db,
  query: PromiseLike<readonly StoredFavourite[]>,
): Promise<StoredFavourite[]> => {
  const events = [...(await query)];
  invalidate(db, ...statusKeys(events.map(({ payload }) => payload.statusId)));
  invalidate(db, ...events.map(({ payload }) => markKey(payload.accountId, payload.statusId)));
  return events;
};

/**
 * Inserts favourites, their counts and their events in one statement; existing ones and those of
 * deleted statuses are skipped. `owner`: this process, when its worker gets the events.
 */
export const insertFavourites = (
  db: Db,
  favourites: (FavouriteOf & {
    uri: string;
    reaction?: string | null;
    reactionUrl?: string | null;
  })[],
  owner: string | null,
): Promise<StoredFavourite[]> =>
  favouriteEvents(
    db,
    db<StoredFavourite[]>`
    WITH favourite AS (
      INSERT INTO favourites (account_id, status_id, uri, reaction, reaction_url)
      SELECT "accountId", "statusId", uri, reaction, "reactionUrl"
      FROM jsonb_to_recordset(${db.json(favourites)})
        AS f ("accountId" bigint, "statusId" bigint, uri text, reaction text, "reactionUrl" text)
      WHERE EXISTS (SELECT FROM statuses s WHERE s.id = "statusId")
      ON CONFLICT (account_id, status_id) DO NOTHING
      RETURNING account_id, status_id, uri
    ), counted AS (
      INSERT INTO status_stats AS s (status_id, favourites_count)
      SELECT status_id, count(*) FROM favourite GROUP BY 1 ORDER BY 1
      ON CONFLICT (status_id) DO UPDATE SET
        favourites_count = s.favourites_count + excluded.favourites_count
    )
    ${eventInsert(db, owner, db`SELECT 'status.favourited', ${actOf(db)} FROM favourite`)}
  `,
  );

/** So many of their posts are read anew; others when something else changes them. */
const MAX_REACTED = 10_000;

/** The posts to which these accounts reacted are read anew. */
export const reactedTo = async (db: Db, accountIds: string[]): Promise<void> => {
  const rows = await db<{ id: string }[]>`
    SELECT DISTINCT status_id AS id FROM favourites
    WHERE account_id = ANY(${accountIds}::bigint[]) AND reaction IS NOT NULL LIMIT ${MAX_REACTED}
  `;
  invalidate(db, ...statusKeys(rows.map(({ id }) => id)));
};

/** Deletes those that exist; otherwise as insertFavourites. */
export const deleteFavourites = (
  db: Db,
  favourites: FavouriteOf[],
  owner: string | null,
): Promise<StoredFavourite[]> =>
  favouriteEvents(
    db,
    db<StoredFavourite[]>`
    WITH favourite AS (
      DELETE FROM favourites f
      USING jsonb_to_recordset(${db.json(favourites)})
        AS gone ("accountId" bigint, "statusId" bigint)
      WHERE f.account_id = gone."accountId" AND f.status_id = gone."statusId"
      RETURNING f.account_id, f.status_id, f.uri
    ), counted AS (
      UPDATE status_stats s SET favourites_count = greatest(0, s.favourites_count - g.count)
      FROM (SELECT status_id, count(*) AS count FROM favourite GROUP BY 1) g
      WHERE s.status_id = g.status_id
    )
    ${eventInsert(db, owner, db`SELECT 'status.unfavourited', ${actOf(db)} FROM favourite`)}
  `,
  );

/** The payload of Favourited (events.ts). */
const actOf = (db: Db) => db`jsonb_build_object(
  'accountId', account_id::text, 'statusId', status_id::text, 'uri', uri
)`;

/** Concurrent pins of one account wait for each other, so that they cannot exceed the limit. */
export const lockPins = (db: Db, accountId: string) => db`
  SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
`;

export const insertConversationMute = async (db: Db, accountId: string, id: string) => {
  await db`
    INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (${accountId}, ${id})
    ON CONFLICT (account_id, conversation_id) DO NOTHING
  `;
};

/** False when there was none. */
export const deleteConversationMute = async (
  db: Db,
  accountId: string,
  id: string,
): Promise<boolean> => {
  const { count } = await db`
    DELETE FROM conversation_mutes WHERE account_id = ${accountId} AND conversation_id = ${id}
  `;
  return count > 0;
};

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
