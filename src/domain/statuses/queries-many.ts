// SQL that writes many statuses and what is done with them at once: for the inbox, where a hundred
// activities cost little more than one.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { EmojiRow } from "../accounts/tables.ts";
import { deleteStatusRows } from "./queries-write.ts";
import type { Visibility } from "./tables.ts";

/** A status of elsewhere, or a reblog by somebody elsewhere. */
export type ManyInsert = {
  account_id: string;
  uri: string;
  url: string | null;
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
  has_media: boolean;
  emojis: EmojiRow[];
  /** Bits: quotes/policy.ts. */
  quote_policy: number;
  created_at: Date;
};

/** With their conversations and empty counts; those that are there already are left out. */
export const insertStatuses = async (db: Db, rows: ManyInsert[]) =>
  rows.length === 0
    ? []
    : db<{ id: string; uri: string }[]>`
  WITH given AS (
    SELECT g.*, snowflake(g.created_at) AS id,
      CASE WHEN g.conversation_id IS NULL AND g.conversation_uri IS NULL
        AND g.reblog_of_id IS NULL THEN snowflake() END AS new_conversation
    FROM jsonb_to_recordset(${db.json(rows as never)}) AS g (
      account_id bigint, uri text, url text, content text, spoiler_text text, visibility text,
      sensitive boolean, language text, in_reply_to_id bigint, in_reply_to_account_id bigint,
      reblog_of_id bigint, conversation_id bigint, conversation_uri text, has_media boolean,
      emojis jsonb, quote_policy smallint, created_at timestamptz
    )
    WHERE NOT EXISTS (SELECT FROM statuses s WHERE s.uri = g.uri)
      AND NOT EXISTS (SELECT FROM tombstones t WHERE t.uri = g.uri AND g.reblog_of_id IS NULL)
  ), fresh AS (
    INSERT INTO conversations (id)
    SELECT new_conversation FROM given WHERE new_conversation IS NOT NULL
  ), named AS (
    INSERT INTO conversations (uri)
    SELECT DISTINCT conversation_uri FROM given
    WHERE conversation_id IS NULL AND conversation_uri IS NOT NULL ORDER BY 1
    ON CONFLICT (uri) DO UPDATE SET uri = excluded.uri
    RETURNING id, uri
  ), status AS (
    INSERT INTO statuses (
      id, account_id, uri, url, local, content, spoiler_text, visibility, sensitive, language,
      in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, has_media, emojis,
      quote_policy, created_at
    )
    SELECT
      g.id, g.account_id, g.uri, g.url, false, g.content, g.spoiler_text, g.visibility,
      g.sensitive, g.language, g.in_reply_to_id, g.in_reply_to_account_id, g.reblog_of_id,
      coalesce(g.conversation_id, g.new_conversation, named.id), g.has_media, g.emojis,
      g.quote_policy, g.created_at
    FROM given g LEFT JOIN named ON named.uri = g.conversation_uri
    ORDER BY g.id
    ON CONFLICT DO NOTHING
    RETURNING id, uri
  ), counted AS (
    INSERT INTO status_stats (status_id) SELECT id FROM status
  )
  SELECT id, uri FROM status
`;

export type ManyMention = { statusId: string; accountId: string; silent: boolean };

export const insertManyMentions = async (db: Db, rows: ManyMention[]): Promise<void> => {
  if (rows.length === 0) return;
  await db`
    INSERT INTO mentions (status_id, account_id, silent)
    SELECT "statusId", "accountId", bool_and(silent)
    FROM jsonb_to_recordset(${db.json(rows)})
      AS m ("statusId" bigint, "accountId" bigint, silent boolean)
    GROUP BY "statusId", "accountId"
  `;
};

export type StatusDelta = {
  id: string;
  replies: number;
  reblogs: number;
  favourites: number;
  quotes: number;
};

/** In the order of the ids, so that two of these never lock each other out; each id once. */
export const addManyStatusCounts = async (db: Db, deltas: StatusDelta[]): Promise<void> => {
  if (deltas.length === 0) return;
  await db`
    INSERT INTO status_stats AS s
      (status_id, replies_count, reblogs_count, favourites_count, quotes_count)
    SELECT id, replies, reblogs, favourites, quotes
    FROM jsonb_to_recordset(${db.json(deltas)})
      AS d (id bigint, replies bigint, reblogs bigint, favourites bigint, quotes bigint)
    ORDER BY id
    ON CONFLICT (status_id) DO UPDATE SET
      replies_count = greatest(0, s.replies_count + excluded.replies_count),
      reblogs_count = greatest(0, s.reblogs_count + excluded.reblogs_count),
      favourites_count = greatest(0, s.favourites_count + excluded.favourites_count),
      quotes_count = greatest(0, s.quotes_count + excluded.quotes_count)
  `;
  invalidate(db, ...deltas.map(({ id }) => `status:${id}` as const));
};

export type Favour = { accountId: string; statusId: string };

/** The new ones. */
export const insertFavourites = async (db: Db, rows: (Favour & { uri: string })[]) =>
  rows.length === 0
    ? []
    : db<(Favour & { uri: string })[]>`
  INSERT INTO favourites (account_id, status_id, uri)
  SELECT "accountId", "statusId", uri
  FROM jsonb_to_recordset(${db.json(rows)}) AS f ("accountId" bigint, "statusId" bigint, uri text)
  ON CONFLICT DO NOTHING
  RETURNING account_id AS "accountId", status_id AS "statusId", uri
`;

/** Those that were there. */
export const deleteFavourites = async (db: Db, rows: Favour[]) =>
  rows.length === 0
    ? []
    : db<(Favour & { uri: string | null })[]>`
  DELETE FROM favourites f
  USING unnest(
    ${rows.map((row) => row.accountId)}::bigint[], ${rows.map((row) => row.statusId)}::bigint[]
  ) AS gone (account_id, status_id)
  WHERE f.account_id = gone.account_id AND f.status_id = gone.status_id
  RETURNING f.account_id AS "accountId", f.status_id AS "statusId", f.uri
`;

export type Leaving = {
  id: string;
  uri: string;
  account_id: string;
  visibility: Visibility;
  local: boolean;
  reblog_of_id: string | null;
  reblog_of_uri: string | null;
  created_at: Date;
  in_reply_to_id: string | null;
  in_reply_to_account_id: string | null;
  tags: string[];
  mention_ids: string[];
  /** What it quotes, where that counts. */
  quoted_status_id: string | null;
};

/** What has to be known of statuses before they go, locked. */
export const selectLeaving = async (db: Db, ids: string[]) =>
  ids.length === 0
    ? []
    : db<Leaving[]>`
  SELECT s.id, s.uri, s.account_id, s.visibility, s.local, s.reblog_of_id, s.created_at,
    s.in_reply_to_id, s.in_reply_to_account_id,
    (SELECT o.uri FROM statuses o WHERE o.id = s.reblog_of_id) AS reblog_of_uri,
    (
      SELECT q.quoted_status_id FROM quotes q WHERE q.status_id = s.id AND q.state = 'accepted'
    ) AS quoted_status_id,
    ARRAY(
      SELECT t.name FROM statuses_tags st JOIN tags t ON t.id = st.tag_id
      WHERE st.status_id = s.id ORDER BY t.id
    ) AS tags,
    ARRAY(SELECT account_id::text FROM mentions WHERE status_id = s.id) AS mention_ids
  FROM statuses s WHERE s.id = ANY(${ids}::bigint[])
  ORDER BY s.id FOR UPDATE OF s
`;

/** The reblogs of statuses that go, locked. */
export const selectReblogsOf = (db: Db, ids: string[]) => db<
  { id: string; account_id: string; reblog_of_id: string }[]
>`
  SELECT id, account_id, reblog_of_id FROM statuses
  WHERE reblog_of_id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE
`;

/** Deletes them; the rows that hang on them go too, what answers them stands alone. */
export const deleteStatuses = async (db: Db, ids: string[], uris: string[]): Promise<void> => {
  await deleteStatusRows(db, ids);
  await db`
    INSERT INTO tombstones (uri) SELECT unnest(${uris}::text[]) ON CONFLICT DO NOTHING
  `;
};
