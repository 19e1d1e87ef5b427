// SQL that deletes statuses: what has to be known of them before, and all that goes with them.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { CacheKey } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { visibilityColumns } from "./fragments.ts";
import { markKey } from "./queries-viewer.ts";
import { detachQuotes } from "./quotes/queries.ts";
import type { VisibilityFacts } from "./visibility.ts";

const statusKeys = (ids: string[]) => ids.map((id) => `status:${id}` as const);

export type StatusToDelete = VisibilityFacts & {
  id: string;
  uri: string;
  account_id: string;
  local: boolean;
  reblog_of_id: string | null;
  reblog_of_uri: string | null;
  reblog_of_author_uri: string | null;
  awaits_approval: boolean;
  created_at: Date;
  in_reply_to_id: string | null;
  in_reply_to_account_id: string | null;
  tags: string[];
  /** In one of its versions. */
  had_media: boolean;
  mention_ids: string[];
  /** What it quotes, where the quote is accepted and therefore counted. */
  quoted_status_id: string | null;
};

/**
 * All rows that their deletion writes, in the order of the ids: who answers, boosts and quotes each other may be deleted at
 * the same moment.
 */
const lockForDeletion = (db: Db, ids: string[]) => db`
  SELECT FROM statuses WHERE id IN (
    SELECT unnest(${ids}::bigint[])
    UNION SELECT id FROM statuses WHERE reblog_of_id = ANY(${ids}::bigint[])
    UNION SELECT id FROM statuses WHERE in_reply_to_id = ANY(${ids}::bigint[])
    UNION SELECT status_id FROM quotes WHERE quoted_status_id = ANY(${ids}::bigint[])
  )
  ORDER BY id FOR UPDATE
`;

/** What has to be known of statuses before they are deleted; locks them, and what refers to them. */
export const selectForDeletion = async (db: Db, ids: string[]): Promise<StatusToDelete[]> => {
  if (ids.length === 0) return [];
  await lockForDeletion(db, ids);
  return db<StatusToDelete[]>`
  SELECT s.id, s.uri, s.account_id, ${visibilityColumns(db)}, s.local, s.reblog_of_id, s.created_at,
    s.in_reply_to_id, s.in_reply_to_account_id, s.awaits_approval,
    (SELECT o.uri FROM statuses o WHERE o.id = s.reblog_of_id) AS reblog_of_uri,
    (
      SELECT a.uri FROM statuses o JOIN accounts a ON a.id = o.account_id
      WHERE o.id = s.reblog_of_id
    ) AS reblog_of_author_uri,
    (
      SELECT q.quoted_status_id FROM quotes q WHERE q.status_id = s.id AND q.state = 'accepted'
    ) AS quoted_status_id,
    ARRAY(
      SELECT t.name FROM statuses_tags st JOIN tags t ON t.id = st.tag_id
      WHERE st.status_id = s.id ORDER BY t.id
    ) AS tags,
    s.has_media OR EXISTS (
      SELECT FROM status_edits e WHERE e.status_id = s.id AND e.media <> '[]'
    ) AS had_media,
    ARRAY(SELECT account_id::text FROM mentions WHERE status_id = s.id) AS mention_ids
  FROM statuses s WHERE s.id = ANY(${ids}::bigint[])
  ORDER BY s.id
`;
};

/** The reblogs of these statuses; locks them. */
export const selectReblogsOf = (db: Db, ids: string[]) => db<
  { id: string; account_id: string; reblog_of_id: string }[]
>`
  SELECT id, account_id, reblog_of_id FROM statuses
  WHERE reblog_of_id = ANY(${ids}::bigint[]) ORDER BY id FOR UPDATE
`;

/** The reblogs that people here made of posts of other servers. */
export const selectOwnReblogsOf = async (db: Db, ids: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT b.id FROM statuses b JOIN statuses s ON s.id = b.reblog_of_id
    WHERE b.reblog_of_id = ANY(${ids}::bigint[]) AND b.local AND NOT s.local
  `;
  return rows.map(({ id }) => id);
};

type DeletedRow = Pick<StatusToDelete, "id" | "account_id" | "in_reply_to_id" | "reblog_of_id">;

/** What shows that a status is there: pages of its author, the thread above, what it reblogs. */
const affectedKeys = (row: DeletedRow): CacheKey[] => [
  `status:${row.id}`,
  `account:${row.account_id}`,
  ...(row.reblog_of_id ? [markKey(row.account_id, row.reblog_of_id)] : []),
  ...statusKeys([row.in_reply_to_id, row.reblog_of_id].filter((id) => id !== null)),
];

/** Deletes them and their reblogs with all dependent rows; replies to them lose their parent. */
export const deleteStatuses = async (db: Db, ids: string[], uris: string[]): Promise<void> => {
  const orphans = await db<DeletedRow[]>`
    UPDATE statuses SET in_reply_to_id = NULL WHERE in_reply_to_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  const quoting = await detachQuotes(db, ids);
  // Their notifications go with them.
  const notified = await db<{ account_id: string }[]>`
    SELECT DISTINCT account_id FROM notifications WHERE status_id = ANY(${ids}::bigint[])
  `;
  const deleted = await db<DeletedRow[]>`
    DELETE FROM statuses WHERE id = ANY(${ids}::bigint[]) OR reblog_of_id = ANY(${ids}::bigint[])
    RETURNING id, account_id, in_reply_to_id, reblog_of_id
  `;
  await db`
    INSERT INTO tombstones (uri) SELECT unnest(${uris}::text[]) ON CONFLICT (uri) DO NOTHING
  `;
  invalidate(db, ...[...orphans, ...deleted].flatMap(affectedKeys), ...statusKeys(quoting));
  invalidate(db, ...notified.map((row) => `notifications:${row.account_id}` as const));
};
