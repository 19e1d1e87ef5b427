// SQL that inserts statuses (local posts, remote notes and reblogs, any number in one statement) and changes them:
// counts, edits, links. queries-acts.ts has what people do with them; queries-counts.ts recounts.

import { invalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { StoredEvent } from "../../../platform/outbox/index.ts";
import { eventInsert } from "../../../platform/outbox/queries.ts";
import { tagging } from "../tags/use.ts";
import type { NewTag } from "../tags/use.ts";
import { hasUri, isCounted, isDirect } from "./fragments.ts";
import { markKey, statusKeys } from "./queries-acts.ts";
import { COLUMN_TYPES, columnList, COLUMNS } from "./tables.ts";
import type { StatusValues } from "./tables.ts";
import { taggedFor } from "./visibility.ts";

export type NewMention = { accountId: string; silent: boolean };

export type StatusInsert = {
  row: StatusValues;
  /** URI of a remote conversation, where the status names one. */
  conversationUri: string | null;
  idempotencyKey: string | null;
  quiet: boolean;
  mentions: NewMention[];
  tags: NewTag[];
  /** Hashes in hexadecimal. */
  linkHashes: string[];
};

type InsertOptions = {
  /** Beginning of local URIs. */
  origin: string;
  /** Time before which idempotency keys have expired. */
  since: Date;
  /** This process, when its worker gets the events. */
  owner: string | null;
};

const LOUD = "status.created";
const QUIET = "status.backfilled";
const AWAITING = "status.awaiting";

/**
 * An inserted status; `n` is the index of the input. The counts of its target and its author are null where it is not
 * counted there.
 */
export type Inserted = {
  n: number;
  id: string;
  event_id: string;
  replies_count: string | null;
  reblogs_count: string | null;
  statuses_count: string | null;
  last_status_at: Date | null;
};

/** Returns the inputs as JSON, `n` being the index of each. */
const records = (inserts: StatusInsert[]) => ({
  rows: inserts.map(({ row, conversationUri, idempotencyKey, quiet }, n) => ({
    n,
    ...row,
    conversation_uri: conversationUri,
    idempotency_key: idempotencyKey,
    quiet,
  })),
  // Mentions are not nested in the rows, for which the planner expects 100 times as many elements.
  mentions: inserts.flatMap(({ mentions }, n) => mentions.map((mention) => ({ n, ...mention }))),
  links: inserts.flatMap(({ linkHashes }, n) => linkHashes.map((hash) => ({ n, hash }))),
});

/** Makes the parts that choose which inputs are new: `inputs`, `claimed_keys` and `conversation`. */
const inputParts = (
  db: Db,
  rows: unknown[],
  { aboveIds, since }: { aboveIds: string[]; since: Date },
) => db`
  targets AS MATERIALIZED (
    -- Targets are locked before their counts, as in deletions, so that there is no deadlock.
    SELECT id FROM statuses WHERE id = ANY(${aboveIds}::bigint[]) ORDER BY id FOR KEY SHARE
  ), inputs AS MATERIALIZED (
    SELECT g.*, status_id(g.created_at) AS id
    FROM jsonb_to_recordset(${db.json(rows as never)}) AS g (
      n int, ${db.unsafe(COLUMN_TYPES)}, conversation_uri text, idempotency_key text, quiet boolean
    )
    WHERE (g.local OR NOT EXISTS (SELECT FROM statuses s WHERE ${hasUri(db, db`g.uri`)})
        AND NOT EXISTS (SELECT FROM tombstones t WHERE t.uri = g.uri AND g.reblog_of_id IS NULL))
      AND (g.reblog_of_id IS NULL OR NOT EXISTS (SELECT FROM statuses s
        WHERE s.reblog_of_id = g.reblog_of_id AND s.account_id = g.account_id))
      -- A remote answer whose target is deleted comes again, without its target.
      AND (coalesce(g.in_reply_to_id, g.reblog_of_id) IN (SELECT id FROM targets)
        OR g.reblog_of_id IS NULL AND (g.in_reply_to_id IS NULL OR NOT g.local))
  ), claimed_keys AS (
    INSERT INTO status_idempotency AS i (account_id, key, status_id)
    -- Of several with the same key the first counts: a statement writes no row twice.
    SELECT DISTINCT ON (account_id, idempotency_key) account_id, idempotency_key, id
    FROM inputs WHERE idempotency_key IS NOT NULL ORDER BY 1, 2, n
    ON CONFLICT (account_id, key) DO UPDATE
      SET status_id = excluded.status_id, created_at = now() WHERE i.created_at <= ${since}
    RETURNING status_id
  ), conversation AS (
    INSERT INTO conversations AS c (uri)
    SELECT DISTINCT conversation_uri FROM inputs
    WHERE conversation_id IS NULL AND conversation_uri IS NOT NULL ORDER BY 1
    ON CONFLICT (uri_key(uri)) DO UPDATE SET uri = c.uri
    RETURNING id, uri
  )
`;

/** Makes the parts that insert posts and reblogs; `posts` are the rows that no other statement inserted meanwhile. */
const rowParts = (db: Db, origin: string) => db`
  new_rows AS MATERIALIZED (
    SELECT g.n, g.id, g.account_id, g.quiet,
      CASE WHEN g.local THEN a.uri || '/statuses/' || g.id
        || CASE WHEN g.reblog_of_id IS NULL THEN '' ELSE '/activity' END
      ELSE g.uri END AS uri,
      CASE WHEN g.local AND g.reblog_of_id IS NULL
        THEN ${origin} || '/@' || a.username || '/' || g.id ELSE g.url END AS url,
      -- A conversation that begins here has the number of its first post.
      coalesce(g.conversation_id, conversation.id, CASE WHEN g.reblog_of_id IS NULL THEN g.id END)
        AS conversation_id,
      -- An answer to a local post has that author's authorization, whose address ends with the answer's number.
      CASE WHEN g.local AND g.approval_uri LIKE '%/' THEN g.approval_uri || g.id
      ELSE g.approval_uri END AS approval_uri,
      ${db.unsafe(columnList("g.", PLAIN))}
    FROM inputs g
    JOIN accounts a ON a.id = g.account_id
    LEFT JOIN conversation ON conversation.uri = g.conversation_uri
    WHERE g.idempotency_key IS NULL OR g.id IN (SELECT status_id FROM claimed_keys)
  ), new_posts AS (
    INSERT INTO statuses (id, ${db.unsafe(columnList())})
    SELECT id, ${db.unsafe(columnList())} FROM new_rows WHERE reblog_of_id IS NULL ORDER BY id
    ON CONFLICT (uri_key(uri)) DO NOTHING
    RETURNING id
  ), new_reblogs AS (
    INSERT INTO statuses (id, ${db.unsafe(columnList())})
    SELECT id, ${db.unsafe(columnList())} FROM new_rows WHERE reblog_of_id IS NOT NULL ORDER BY id
    ON CONFLICT (reblog_of_id, account_id) WHERE reblog_of_id IS NOT NULL DO NOTHING
    RETURNING id
  ), posts AS MATERIALIZED (
    SELECT * FROM new_rows
    WHERE id IN (SELECT id FROM new_posts UNION ALL SELECT id FROM new_reblogs)
  )
`;

/** Makes the parts that count `posts`, at their targets and their authors. */
const countParts = (db: Db) => db`
  own_stats AS (
    INSERT INTO status_stats (status_id) SELECT id FROM posts
  ), target_stats AS (
    INSERT INTO status_stats AS s (status_id, replies_count, reblogs_count)
    SELECT coalesce(in_reply_to_id, reblog_of_id), count(in_reply_to_id), count(reblog_of_id)
    FROM posts
    WHERE coalesce(in_reply_to_id, reblog_of_id) IS NOT NULL AND ${isCounted(db, "posts")}
    GROUP BY 1 ORDER BY 1
    ON CONFLICT (status_id) DO UPDATE SET
      replies_count = s.replies_count + excluded.replies_count,
      reblogs_count = s.reblogs_count + excluded.reblogs_count
    RETURNING s.status_id, s.replies_count, s.reblogs_count
  ), author_stats AS (
    INSERT INTO account_stats AS s (account_id, statuses_count, last_status_at)
    SELECT account_id, count(*), max(created_at) FROM posts
    WHERE ${isCounted(db, "posts")}
    GROUP BY 1 ORDER BY 1
    ON CONFLICT (account_id) DO UPDATE SET
      statuses_count = s.statuses_count + excluded.statuses_count,
      last_status_at = greatest(s.last_status_at, excluded.last_status_at)
    RETURNING s.account_id, s.statuses_count, s.last_status_at
  )
`;

/** Makes the parts that insert what `posts` mention and link. */
const referenceParts = (db: Db, { mentions, links }: ReturnType<typeof records>) => db`
  new_mentions AS (
    INSERT INTO mentions (status_id, account_id, silent, direct)
    SELECT p.id, m."accountId", bool_and(m.silent), bool_and(${isDirect(db, "p")})
    FROM posts p
    JOIN jsonb_to_recordset(${db.json(mentions)}) AS m (n int, "accountId" bigint, silent boolean)
      USING (n)
    GROUP BY 1, 2
  ), new_links AS (
    INSERT INTO status_links (url_hash, status_id)
    SELECT DISTINCT decode(hash, 'hex'), p.id
    FROM posts p JOIN jsonb_to_recordset(${db.json(links)}) AS l (n int, hash text) USING (n)
  )
`;

/**
 * Inserts with one statement the statuses, their conversations, counts, mentions, tags and links, the counts of their
 * authors and targets, and their events: all but media, polls and quotes. Skips what exists already (by its uri, its
 * idempotency key, or as this person's reblog of the same status), is known to be deleted, or has a target that is
 * deleted meanwhile. Direct statuses are not counted.
 */
const insert = (db: Db, inserts: StatusInsert[], { origin, since, owner }: InsertOptions) => {
  const written = records(inserts);
  const aboveIds = inserts.flatMap((input) => statusAbove(input) ?? []);
  return db<Inserted[]>`
    WITH ${inputParts(db, written.rows, { aboveIds, since })},
    ${rowParts(db, origin)},
    ${countParts(db)},
    ${referenceParts(db, written)},
    ${tagging(
      db,
      inserts.map(({ row, tags }) => ({ tags, ...taggedFor(row) })),
    )}, events AS (
      ${eventInsert(
        db,
        owner,
        db`SELECT CASE WHEN awaits_approval THEN ${AWAITING} WHEN quiet THEN ${QUIET} ELSE ${LOUD} END,
            jsonb_build_object('id', id::text)
          FROM posts ORDER BY n`,
      )}
    )
    SELECT p.n, p.id, e.id AS event_id, target_stats.replies_count, target_stats.reblogs_count,
      author_stats.statuses_count, author_stats.last_status_at
    FROM posts p JOIN events e ON e.payload ->> 'id' = p.id::text
    LEFT JOIN target_stats ON target_stats.status_id = coalesce(p.in_reply_to_id, p.reblog_of_id)
    LEFT JOIN author_stats ON author_stats.account_id = p.account_id
    ORDER BY p.n
  `;
};

/** Columns that the statement itself computes. */
const COMPUTED = new Set(["uri", "url", "conversation_id", "account_id", "approval_uri"]);
const PLAIN = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter(
  (name) => !COMPUTED.has(name),
);

const eventOf = ({ row, quiet }: StatusInsert) => {
  if (row.awaits_approval) return AWAITING;
  return quiet ? QUIET : LOUD;
};

/** Returns the target of an input: its parent or the reblogged status, or null. */
export const statusAbove = ({ row }: StatusInsert): string | null =>
  row.in_reply_to_id ?? row.reblog_of_id;

const invalidateInserted = (db: Db, rows: StatusValues[]): void => {
  // Cached pages and threads lack the new status, even where no count changed (docs/design/caches.md).
  const keys = rows.flatMap(({ account_id, in_reply_to_id, reblog_of_id }): CacheKey[] => {
    const above = in_reply_to_id ?? reblog_of_id;
    return [
      `account:${account_id}`,
      ...(above ? [`status:${above}` as const] : []),
      ...(reblog_of_id ? [markKey(account_id, reblog_of_id)] : []),
    ];
  });
  if (keys.length > 0) invalidate(db, ...keys);
};

/** Works as `insert`; returns the results by the index of the input, and the events. */
export const insertStatuses = async (
  db: Db,
  inserts: StatusInsert[],
  options: InsertOptions,
): Promise<{
  created: Map<number, Inserted>;
  events: StoredEvent<typeof LOUD | typeof QUIET | typeof AWAITING>[];
}> => {
  const inserted = await insert(db, inserts, options);
  invalidateInserted(
    db,
    inserted.map(({ n }) => inserts[n]!.row),
  );
  return {
    created: new Map(inserted.map((row) => [row.n, row])),
    events: inserted.map(({ n, id, event_id }) => ({
      id: event_id,
      type: eventOf(inserts[n]!),
      payload: { id },
    })),
  };
};

/** Selects the existing statuses because of which these were skipped; null for those known to be deleted. */
export const selectExisting = async (db: Db, inserts: StatusInsert[], since: Date) => {
  const keyed = inserts.map(({ row, idempotencyKey }, n) => ({
    n,
    uri: row.local ? null : row.uri,
    account_id: row.account_id,
    reblog_of_id: row.reblog_of_id,
    key: idempotencyKey,
  }));
  const rows = await db<{ id: string | null }[]>`
    SELECT coalesce(
      (SELECT s.id FROM statuses s WHERE ${hasUri(db, db`w.uri`)}),
      (SELECT s.id FROM statuses s
        WHERE s.reblog_of_id = w.reblog_of_id AND s.account_id = w.account_id),
      (SELECT i.status_id FROM status_idempotency i
        WHERE i.account_id = w.account_id AND i.key = w.key AND i.created_at > ${since})
    ) AS id
    FROM jsonb_to_recordset(${db.json(keyed)})
      AS w (n int, uri text, account_id bigint, reblog_of_id bigint, key text)
    ORDER BY w.n
  `;
  return rows.map(({ id }) => id);
};

export type StatusDelta = {
  id: string;
  replies?: number;
  reblogs?: number;
  favourites?: number;
  quotes?: number;
};

/** Updates in the order of the ids, so that two callers cannot deadlock; each id may occur once. */
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
