// SQL of restore drills: random people, posts and files of a backup's database, and what it says of them.

import type { Db } from "../uses.ts";

export type Person = {
  account_id: string;
  user_id: string;
  username: string;
  display_name: string;
  uri: string;
  public_key: string;
  private_key: string | null;
  statuses_count: string;
  followers_count: string;
};

/** Selects people who can sign in. */
export const selectPeople = async (db: Db, limit: number): Promise<Person[]> => [
  ...(await db<Person[]>`
    SELECT a.id AS account_id, u.id AS user_id, a.username::text, a.display_name, a.uri,
      a.public_key, k.private_key, coalesce(t.statuses_count, 0) AS statuses_count,
      coalesce(t.followers_count, 0) AS followers_count
    FROM users u
    JOIN accounts a ON a.id = u.account_id
    LEFT JOIN account_keys k ON k.account_id = a.id
    LEFT JOIN account_stats t ON t.account_id = a.id
    WHERE u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
      AND a.suspended_at IS NULL AND a.moved_to_account_id IS NULL
    ORDER BY random() LIMIT ${limit}
  `),
];

export type Post = {
  id: string;
  account_id: string;
  user_id: string;
  uri: string;
  spoiler_text: string;
  content: string;
  in_reply_to_id: string | null;
};

/** Selects posts by people who can sign in, and so can see them. */
export const selectPosts = async (db: Db, limit: number): Promise<Post[]> => [
  ...(await db<Post[]>`
    SELECT s.id, s.account_id, u.id AS user_id, s.uri, s.spoiler_text, s.content,
      s.in_reply_to_id
    FROM statuses s
    JOIN users u ON u.account_id = s.account_id
    JOIN accounts a ON a.id = u.account_id
    WHERE s.local AND s.reblog_of_id IS NULL AND NOT s.awaits_approval
      AND u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled
      AND a.suspended_at IS NULL AND a.moved_to_account_id IS NULL
    ORDER BY random() LIMIT ${limit}
  `),
];

/** Answers of a thread that are compared. */
const MAX_THREAD = 2000;

/** Selects all answers below a post, and the author's own direct answers. */
export const selectAnswers = async (
  db: Db,
  { id, account_id }: Post,
): Promise<{ all: Set<string>; own: string[]; isWhole: boolean }> => {
  const rows = await db<{ id: string; is_own: boolean }[]>`
    WITH RECURSIVE thread AS (
      SELECT s.id, s.account_id, 1 AS depth FROM statuses s WHERE s.in_reply_to_id = ${id}
      UNION ALL
      SELECT s.id, s.account_id, t.depth + 1
      FROM thread t JOIN statuses s ON s.in_reply_to_id = t.id
      WHERE t.depth < 200
    )
    SELECT id, account_id = ${account_id} AND depth = 1 AS is_own FROM thread LIMIT ${MAX_THREAD}
  `;
  return {
    all: new Set(rows.map((row) => row.id)),
    own: rows.filter((row) => row.is_own).map((row) => row.id),
    isWhole: rows.length < MAX_THREAD,
  };
};

/** Selects the newest posts that a person's page shows to themselves. */
export const selectPage = async (db: Db, accountId: string, limit: number): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM statuses
    WHERE account_id = ${accountId} AND reblog_of_id IS NULL AND NOT awaits_approval
    ORDER BY id DESC LIMIT ${limit}
  `;
  return rows.map(({ id }) => id);
};

/** Selects which of these posts are by this person, by somebody they follow, or have a hashtag that they follow. */
export const selectBelonging = async (
  db: Db,
  accountId: string,
  ids: string[],
): Promise<Set<string>> => {
  const rows = await db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    WHERE s.id = ANY(${ids}) AND (
      s.account_id = ${accountId}
      OR EXISTS (
        SELECT FROM follows f WHERE f.account_id = ${accountId} AND f.target_account_id = s.account_id
      )
      OR EXISTS (
        SELECT FROM statuses_tags st JOIN tag_follows tf ON tf.tag_id = st.tag_id
        WHERE st.status_id = s.id AND tf.account_id = ${accountId}
      )
    )
  `;
  return new Set(rows.map(({ id }) => id));
};

export const selectBookmarked = async (db: Db, accountId: string): Promise<Set<string>> => {
  const rows = await db<{ id: string }[]>`
    SELECT status_id AS id FROM bookmarks WHERE account_id = ${accountId}
  `;
  return new Set(rows.map(({ id }) => id));
};

/** Selects which of these notifications belong to a person. */
export const selectNotified = async (
  db: Db,
  accountId: string,
  ids: string[],
): Promise<Set<string>> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM notifications WHERE account_id = ${accountId} AND id = ANY(${ids})
  `;
  return new Set(rows.map(({ id }) => id));
};

/** `size` is null if it is not stored. */
export type StoredFile = { key: string; size: string | null };

/** Selects files that local people uploaded. */
export const selectFiles = async (db: Db, limit: number): Promise<StoredFile[]> => [
  ...(await db<StoredFile[]>`
    SELECT * FROM (
      (SELECT m.file_key AS key, m.file_size AS size
       FROM media_attachments m JOIN users u ON u.account_id = m.account_id
       WHERE m.file_key IS NOT NULL AND m.file_key NOT LIKE 'remote/%'
       ORDER BY random() LIMIT ${limit})
      UNION ALL
      (SELECT a.avatar_key, NULL FROM accounts a JOIN users u ON u.account_id = a.id
       WHERE a.avatar_key IS NOT NULL ORDER BY random() LIMIT ${limit})
      UNION ALL
      (SELECT file_key, NULL FROM custom_emojis WHERE file_key IS NOT NULL
       ORDER BY random() LIMIT ${limit})
    ) files ORDER BY random() LIMIT ${limit}
  `),
];

export type Totals = { people: number; rules: number; emojis: number };

export const selectTotals = async (db: Db): Promise<Totals> => {
  const [row] = await db<Totals[]>`
    SELECT
      (SELECT count(*)::int FROM users u JOIN accounts a ON a.id = u.account_id
       WHERE u.confirmed_at IS NOT NULL AND u.approved AND a.suspended_at IS NULL) AS people,
      (SELECT count(*)::int FROM rules WHERE deleted_at IS NULL) AS rules,
      (SELECT count(*)::int FROM custom_emojis WHERE NOT disabled) AS emojis
  `;
  return row!;
};

/** Selects users with an authenticator app, whose secrets are sealed by those of the server. */
export const selectCodeUsers = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db<{ user_id: string }[]>`
    SELECT user_id FROM totp_secrets WHERE confirmed_at IS NOT NULL ORDER BY random() LIMIT ${limit}
  `;
  return rows.map(({ user_id: id }) => id);
};
