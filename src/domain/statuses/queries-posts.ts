// SQL that writes the posts of people here, many in one statement, and knows which of them have their
// consequences still to come.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { tagging } from "../tags/use.ts";
import type { NewTag } from "../tags/use.ts";
import type { NewMention, StatusInsert } from "./queries-write.ts";

export type NewPost = {
  row: StatusInsert & { idempotency_key: string | null };
  mentions: NewMention[];
  tags: NewTag[];
  /** In hexadecimal. */
  linkHashes: string[];
};

export type PostsHow = {
  /** Idempotency keys that were used before do not count any more. */
  since: Date;
  /** Marks them as unfinished. */
  unfinished: boolean;
};

/**
 * The statuses, their conversations, their counts, their authors' counts, the counts of what they
 * answer, and their mentions, tags and links: all but media, polls and quotes, so that most need no other. Gives the id of each by its place; one whose idempotency
 * key is taken is not written and has none. A key twice is an error.
 */
export const insertPosts = async (
  db: Db,
  posts: NewPost[],
  { since, unfinished }: PostsHow,
): Promise<Map<number, string>> => {
  const rows = posts.map(({ row }, n) => ({ n, ...row }));
  // Beside the rows rather than in them: the planner takes a list in each of many for 100 times as long.
  const mentions = posts.flatMap((post, n) => post.mentions.map((one) => ({ n, ...one })));
  const links = posts.flatMap((post, n) => post.linkHashes.map((hash) => ({ n, hash })));
  const tags = posts.map((post) => post.tags);
  const made = await db<{ n: number; id: string }[]>`
    WITH given AS MATERIALIZED (
      SELECT g.*, snowflake(g.created_at) AS id,
        CASE WHEN g.conversation_id IS NULL THEN snowflake() END AS new_conversation
      FROM jsonb_to_recordset(${db.json(rows as never)}) AS g (
        n int, account_id bigint, local_addresses jsonb, text text, content text, spoiler_text text,
        visibility text, sensitive boolean, language text, in_reply_to_id bigint,
        in_reply_to_account_id bigint, conversation_id bigint, app_id bigint, has_media boolean,
        emojis jsonb, quote_policy smallint, created_at timestamptz, idempotency_key text
      )
    ), claimed AS (
      INSERT INTO status_idempotency AS i (account_id, key, status_id)
      SELECT account_id, idempotency_key, id FROM given WHERE idempotency_key IS NOT NULL
      ORDER BY 1, 2
      ON CONFLICT (account_id, key) DO UPDATE
        SET status_id = excluded.status_id, created_at = now() WHERE i.created_at <= ${since}
      RETURNING status_id
    ), posts AS MATERIALIZED (
      SELECT * FROM given
      WHERE idempotency_key IS NULL OR id IN (SELECT status_id FROM claimed)
    ), fresh AS (
      INSERT INTO conversations (id)
      SELECT new_conversation FROM posts WHERE new_conversation IS NOT NULL
    ), status AS (
      INSERT INTO statuses (
        id, account_id, uri, url, local, text, content, spoiler_text, visibility, sensitive,
        language, in_reply_to_id, in_reply_to_account_id, conversation_id, app_id, has_media,
        emojis, quote_policy, created_at
      )
      SELECT
        id, account_id,
        (local_addresses ->> 'prefix') || id || (local_addresses ->> 'suffix'),
        (local_addresses ->> 'page') || id,
        true, text, content, spoiler_text, visibility, sensitive, language, in_reply_to_id,
        in_reply_to_account_id, coalesce(conversation_id, new_conversation), app_id, has_media,
        emojis, quote_policy, created_at
      FROM posts ORDER BY id
    ), counted AS (
      INSERT INTO status_stats (status_id) SELECT id FROM posts
    ), above AS (
      INSERT INTO status_stats AS s (status_id, replies_count)
      SELECT in_reply_to_id, count(*) FROM posts
      WHERE in_reply_to_id IS NOT NULL AND visibility <> 'direct'
      GROUP BY 1 ORDER BY 1
      ON CONFLICT (status_id) DO UPDATE SET replies_count = s.replies_count + excluded.replies_count
    ), author AS (
      INSERT INTO account_stats AS s (account_id, statuses_count, last_status_at)
      SELECT account_id, count(*), max(created_at) FROM posts
      WHERE visibility <> 'direct'
      GROUP BY 1 ORDER BY 1
      ON CONFLICT (account_id) DO UPDATE SET
        statuses_count = s.statuses_count + excluded.statuses_count,
        last_status_at = greatest(s.last_status_at, excluded.last_status_at)
    ), mentioned AS (
      INSERT INTO mentions (status_id, account_id, silent)
      SELECT p.id, m."accountId", bool_and(m.silent)
      FROM posts p
      JOIN jsonb_to_recordset(${db.json(mentions)}) AS m (n int, "accountId" bigint, silent boolean)
        USING (n)
      GROUP BY 1, 2
    ), linked AS (
      INSERT INTO status_links (url_hash, status_id)
      SELECT DISTINCT decode(hash, 'hex'), p.id
      FROM posts p JOIN jsonb_to_recordset(${db.json(links)}) AS l (n int, hash text) USING (n)
    ), ${tagging(db, tags)}, unfinished AS (
      INSERT INTO unfinished_statuses (status_id) SELECT id FROM posts WHERE ${unfinished}::boolean
    )
    SELECT n, id FROM posts
  `;
  for (const row of rows) {
    invalidate(db, `account:${row.account_id}`);
    if (row.in_reply_to_id) invalidate(db, `status:${row.in_reply_to_id}`);
  }
  return new Map(made.map(({ n, id }) => [n, id]));
};

/** Those below the id, oldest first. */
export const selectUnfinished = async (db: Db, below: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT status_id AS id FROM unfinished_statuses WHERE status_id < ${below} ORDER BY 1
  `;
  return rows.map((row) => row.id);
};

export const deleteUnfinished = async (db: Db, ids: string[]): Promise<void> => {
  await db`DELETE FROM unfinished_statuses WHERE status_id = ANY(${ids}::bigint[])`;
};
