// SQL that changes statuses. What reads them is in queries.ts.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { CacheKey } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { EmojiRow } from "../accounts/tables.ts";
import { forgetQuoted } from "./quotes/queries.ts";
import type { Visibility } from "./tables.ts";

export type StatusInsert = {
  account_id: string;
  /** null: a local one, whose addresses are made of its id. */
  uri: string | null;
  url: string | null;
  /** What stands before and after the id in a local uri, and before it in a local url. */
  local_addresses: { prefix: string; suffix: string; page: string | null } | null;
  text: string;
  content: string;
  spoiler_text: string;
  visibility: Visibility;
  sensitive: boolean;
  language: string | null;
  in_reply_to_id: string | null;
  in_reply_to_account_id: string | null;
  reblog_of_id: string | null;
  /** null: a new one, known by `conversation_uri` where that is given; a reblog has none. */
  conversation_id: string | null;
  conversation_uri: string | null;
  app_id: string | null;
  has_media: boolean;
  emojis: EmojiRow[];
  /** Bits: quotes/policy.ts. */
  quote_policy: number;
  created_at: Date;
};

/**
 * One statement for the status, its conversation, its counts, its author's counts, and the counts of
 * what it answers or reblogs; gives the id. Null when a status of this uri, or this person's reblog
 * of the same status, is there: then nothing is written. Direct statuses are not counted.
 */
export const insertStatus = async (db: Db, row: StatusInsert): Promise<string | null> => {
  const local = row.local_addresses;
  const [inserted] = await db<{ id: string }[]>`
    WITH made AS (
      SELECT snowflake(${row.created_at}::timestamptz) AS id
    ), conversation AS (
      INSERT INTO conversations (uri)
      SELECT ${row.conversation_uri}::text
      WHERE ${row.conversation_id}::bigint IS NULL AND ${row.reblog_of_id}::bigint IS NULL
      ON CONFLICT (uri) DO UPDATE SET uri = excluded.uri
      RETURNING id
    ), status AS (
      INSERT INTO statuses (
        id, account_id, uri, url, local, text, content, spoiler_text, visibility, sensitive,
        language, in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, app_id,
        has_media, emojis, quote_policy, created_at
      )
      SELECT
        made.id, ${row.account_id}::bigint,
        coalesce(${row.uri}::text, ${local?.prefix ?? ""}::text || made.id || ${local?.suffix ?? ""}::text),
        coalesce(${row.url}::text, ${local?.page ?? null}::text || made.id),
        ${local !== null}::boolean, ${row.text}::text, ${row.content}::text,
        ${row.spoiler_text}::text, ${row.visibility}::text, ${row.sensitive}::boolean,
        ${row.language}::text, ${row.in_reply_to_id}::bigint, ${row.in_reply_to_account_id}::bigint,
        ${row.reblog_of_id}::bigint,
        coalesce(${row.conversation_id}::bigint, (SELECT id FROM conversation)),
        ${row.app_id}::bigint, ${row.has_media}::boolean, ${db.json(row.emojis as never)}::jsonb,
        ${row.quote_policy}::smallint, ${row.created_at}::timestamptz
      FROM made
      ON CONFLICT DO NOTHING
      RETURNING id
    ), counted AS (
      INSERT INTO status_stats (status_id) SELECT id FROM status
    ), above AS (
      INSERT INTO status_stats AS s (status_id, replies_count, reblogs_count)
      SELECT
        coalesce(${row.in_reply_to_id}::bigint, ${row.reblog_of_id}::bigint),
        (${row.in_reply_to_id}::bigint IS NOT NULL)::int, (${row.reblog_of_id}::bigint IS NOT NULL)::int
      FROM status
      WHERE coalesce(${row.in_reply_to_id}::bigint, ${row.reblog_of_id}::bigint) IS NOT NULL
        AND ${row.visibility}::text <> 'direct'
      ON CONFLICT (status_id) DO UPDATE SET
        replies_count = s.replies_count + excluded.replies_count,
        reblogs_count = s.reblogs_count + excluded.reblogs_count
    ), author AS (
      INSERT INTO account_stats AS s (account_id, statuses_count, last_status_at)
      SELECT
        ${row.account_id}::bigint, 1, ${row.created_at}::timestamptz
      FROM status
      WHERE ${row.visibility}::text <> 'direct'
      ON CONFLICT (account_id) DO UPDATE SET
        statuses_count = s.statuses_count + excluded.statuses_count,
        last_status_at = greatest(s.last_status_at, excluded.last_status_at)
    )
    SELECT id FROM status
  `;
  if (!inserted) return null;
  const above = row.in_reply_to_id ?? row.reblog_of_id;
  invalidate(db, `account:${row.account_id}`, ...(above ? [`status:${above}` as const] : []));
  return inserted.id;
};

export type StatusCounts = {
  replies?: number;
  reblogs?: number;
  favourites?: number;
  quotes?: number;
};

export const addStatusCounts = async (db: Db, statusId: string, delta: StatusCounts) => {
  await insertCounts(db, statusId, delta);
  invalidate(db, `status:${statusId}`);
};

const insertCounts = (db: Db, statusId: string, delta: StatusCounts) => db`
  INSERT INTO status_stats AS s
    (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
  VALUES (
    ${statusId}, ${Math.max(0, delta.replies ?? 0)}, ${Math.max(0, delta.reblogs ?? 0)},
    ${Math.max(0, delta.favourites ?? 0)}, ${Math.max(0, delta.quotes ?? 0)}
  )
  ON CONFLICT (status_id) DO UPDATE SET
    replies_count = greatest(0, s.replies_count + ${delta.replies ?? 0}),
    reblogs_count = greatest(0, s.reblogs_count + ${delta.reblogs ?? 0}),
    favourites_count = greatest(0, s.favourites_count + ${delta.favourites ?? 0}),
    quotes_count = greatest(0, s.quotes_count + ${delta.quotes ?? 0})
`;

export type NewMention = { accountId: string; silent: boolean };

export const replaceMentions = async (
  db: Db,
  statusId: string,
  mentions: NewMention[],
): Promise<void> => {
  await db`DELETE FROM mentions WHERE status_id = ${statusId}`;
  if (mentions.length > 0) await insertMentions(db, statusId, mentions);
};

export const insertMentions = async (
  db: Db,
  statusId: string,
  mentions: NewMention[],
): Promise<void> => {
  await db`
    INSERT INTO mentions (status_id, account_id, silent)
    SELECT ${statusId}, "accountId", bool_and(silent)
    FROM jsonb_to_recordset(${db.json(mentions)}) AS m ("accountId" bigint, silent boolean)
    GROUP BY "accountId"
  `;
};

/** Keeps the present version as an edit and writes the new one. */
export const insertEdit = (db: Db, statusId: string) => db`
  INSERT INTO status_edits
    (status_id, text, content, spoiler_text, sensitive, emojis, poll_options, created_at)
  SELECT
    id, text, content, spoiler_text, sensitive, emojis,
    (SELECT options FROM polls p WHERE p.status_id = s.id), coalesce(edited_at, created_at)
  FROM statuses s WHERE id = ${statusId}
`;

export type StatusUpdate = {
  text: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  language: string | null;
  emojis: EmojiRow[];
  has_media: boolean;
  edited_at: Date;
};

export const updateStatus = async (db: Db, statusId: string, change: StatusUpdate) => {
  await db`
    UPDATE statuses SET ${db({ ...change, emojis: db.json(change.emojis as never) } as never)}
    WHERE id = ${statusId}
  `;
  invalidate(db, `status:${statusId}`);
};

export const lockStatus = async (db: Db, statusId: string): Promise<boolean> =>
  (await db`SELECT 1 FROM statuses WHERE id = ${statusId} FOR UPDATE`).length > 0;

type DeletedRow = {
  id: string;
  account_id: string;
  in_reply_to_id: string | null;
  reblog_of_id: string | null;
};

/** A status that comes or goes changes the pages of its author, the thread above it and what it reblogs. */
const around = (row: DeletedRow): CacheKey[] => [
  `status:${row.id}`,
  `account:${row.account_id}`,
  ...[row.in_reply_to_id, row.reblog_of_id].flatMap((id) => (id ? [`status:${id}` as const] : [])),
];

/**
 * Deletes statuses with their reblogs; the rows that hang on them go too. What answers or quotes them
 * stands alone.
 */
export const deleteStatusRows = async (db: Db, ids: string[]): Promise<void> => {
  const orphans = await db<DeletedRow[]>`
    UPDATE statuses SET in_reply_to_id = NULL WHERE in_reply_to_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  const quoting = await forgetQuoted(db, ids);
  const gone = await db<DeletedRow[]>`
    DELETE FROM statuses WHERE id = ANY(${ids}::bigint[]) OR reblog_of_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  invalidate(
    db,
    ...[...orphans, ...gone].flatMap(around),
    ...quoting.map((id) => `status:${id}` as const),
  );
};

/** The reblogs of a status, locked, so that their authors' counts can be corrected. */
export const selectReblogsForUpdate = (db: Db, statusId: string) => db<
  { id: string; account_id: string }[]
>`
  SELECT id, account_id FROM statuses WHERE reblog_of_id = ${statusId} ORDER BY id FOR UPDATE
`;

/** One status fewer for each of the accounts. */
export const subtractStatuses = async (db: Db, accountIds: string[]) => {
  if (accountIds.length === 0) return;
  await updateStatusCounts(db, accountIds);
  invalidate(db, ...accountIds.map((id) => `account:${id}` as const));
};

const updateStatusCounts = (db: Db, accountIds: string[]) => db`
  UPDATE account_stats s SET statuses_count = greatest(0, s.statuses_count - gone.count)
  FROM (
    SELECT id, count(*) AS count FROM unnest(${accountIds}::bigint[]) AS t (id) GROUP BY id
  ) gone
  WHERE s.account_id = gone.id
`;

export const insertTombstone = (db: Db, uri: string) => db`
  INSERT INTO tombstones (uri) VALUES (${uri}) ON CONFLICT DO NOTHING
`;

export const selectTombstone = async (db: Db, uri: string): Promise<boolean> =>
  (await db`SELECT 1 FROM tombstones WHERE uri = ${uri}`).length > 0;

/** Marks (favourites, bookmarks, pins) are rows of account × status; true when it is new. */
export const insertMark = async (
  db: Db,
  table: "bookmarks" | "status_pins",
  accountId: string,
  statusId: string,
): Promise<boolean> => {
  const rows = await db`
    INSERT INTO ${db(table)} (account_id, status_id) VALUES (${accountId}, ${statusId})
    ON CONFLICT DO NOTHING RETURNING 1
  `;
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
  return rows.length > 0;
};

export const insertFavourite = async (
  db: Db,
  favourite: { accountId: string; statusId: string; uri: string | null },
): Promise<boolean> => {
  const rows = await db`
    INSERT INTO favourites (account_id, status_id, uri)
    VALUES (${favourite.accountId}, ${favourite.statusId}, ${favourite.uri})
    ON CONFLICT DO NOTHING RETURNING 1
  `;
  return rows.length > 0;
};

/** The deleted favourite; null when there was none. */
export const deleteFavourite = async (db: Db, accountId: string, statusId: string) => {
  const [row] = await db<{ id: string; uri: string | null }[]>`
    DELETE FROM favourites WHERE account_id = ${accountId} AND status_id = ${statusId}
    RETURNING id, uri
  `;
  return row ?? null;
};

/** Two pins at the same moment are counted one after the other. */
export const lockPins = (db: Db, accountId: string) => db`
  SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
`;
