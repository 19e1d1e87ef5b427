// SQL that changes follows, requests, blocks and mutes.

import { invalidate } from "../../../platform/db/commits.ts";
import { SLICE, deleteSliceOf } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Pair } from "./events.ts";
import type { FollowOptions, FollowSettings } from "./tables.ts";
import { onlyValue } from "../../../platform/db/rows.ts";

/** Selects whether the other server knows the follow under a former domain alone (docs/design/moving.md). */
export const selectIsFormer = (db: Db, { accountId, targetId }: Pair): Promise<boolean> =>
  onlyValue(db<[{ there: boolean }]>`
    SELECT EXISTS (
      SELECT FROM former_follows WHERE account_id = ${accountId} AND target_account_id = ${targetId}
    ) AS there
  `);

/** Returns those that existed. */
export const deleteFormer = async (db: Db, pairs: Pair[]): Promise<Pair[]> => {
  const rows = await db<{ account_id: string; target_account_id: string }[]>`
    DELETE FROM former_follows f
    USING ${unnested(db, pairs)} AS p (account_id, target_id)
    WHERE f.account_id = p.account_id AND f.target_account_id = p.target_id
    RETURNING f.account_id, f.target_account_id
  `;
  return rows.map((row) => ({ accountId: row.account_id, targetId: row.target_account_id }));
};

/** The pairs as rows of two columns. */
export const unnested = (db: Db, pairs: Pair[]) => db`unnest(
  ${pairs.map(({ accountId }) => accountId)}::bigint[],
  ${pairs.map(({ targetId }) => targetId)}::bigint[]
)`;

/**
 * Serialises acts between two accounts until the transaction ends, so that a block and a follow at the same time never
 * both succeed. Locks many pairs in the order of their keys, so that there are no deadlocks.
 */
export const lockPairs = (db: Db, pairs: Pair[]) => db`
  SELECT pg_advisory_xact_lock(key) FROM (
    SELECT DISTINCT hashtextextended(least(a, b) || ':' || greatest(a, b), 0) AS key
    FROM ${unnested(db, pairs)} AS p (a, b)
    ORDER BY key
  ) AS pair
`;

export const lockPair = (db: Db, accountId: string, targetId: string) =>
  lockPairs(db, [{ accountId, targetId }]);

/** Invalidates the counts of both, and their relations (load.ts, statuses/cache.ts). */
const invalidatePair = (db: Db, accountId: string, targetId: string): void => {
  invalidate(db, `account:${accountId}`, `account:${targetId}`);
  invalidate(db, `relations:${accountId}`, `relations:${targetId}`);
};

/** Also invalidates the cached followers with their options and mutes for boosts (timelines/cached-readers.ts). */
export const invalidateFollow = (db: Db, accountId: string, targetId: string): void => {
  invalidatePair(db, accountId, targetId);
  invalidate(db, `followers:${targetId}`);
};

export type FollowTable = "follows" | "follow_requests";

export type FollowRow = Pair & { uri: string | null; options: FollowOptions };

/** A follow as it is stored now. */
export type StoredFollow = Ends & FollowSettings;

const OPTIONS = ["show_reblogs", "show_replies", "daily_limit", "notify", "languages"];

const columns = (db: Db, alias: string) =>
  db`${db(["account_id", "target_account_id", ...OPTIONS].map((name) => `${alias}.${name}`))}`;

/** Selects the rows as `g`. Options that are not given are null; for languages and the limit, null means all. */
const givenRows = (db: Db, rows: FollowRow[]) => {
  const values = rows.map(({ accountId, targetId, uri, options }) => ({
    accountId,
    targetId,
    uri,
    reblogs: options.reblogs,
    replies: options.replies,
    notify: options.notify,
    languages: options.languages,
    sets_languages: options.languages !== undefined,
    daily_limit: options.dailyLimit,
    sets_limit: options.dailyLimit !== undefined,
  }));
  return db`jsonb_to_recordset(${db.json(values as never)}) AS g (
    "accountId" bigint, "targetId" bigint, uri text, reblogs boolean, replies boolean, notify boolean,
    languages text[], sets_languages boolean, daily_limit smallint, sets_limit boolean
  )`;
};

/** Returns those that did not exist. */
export const insertFollows = async (db: Db, table: FollowTable, rows: FollowRow[]) => {
  if (rows.length === 0) return [];
  const stored = await db<StoredFollow[]>`
    INSERT INTO ${db(table)} AS f
      (account_id, target_account_id, uri, show_reblogs, show_replies, notify, languages, daily_limit)
    SELECT "accountId", "targetId", uri, coalesce(reblogs, true), coalesce(replies, true),
      coalesce(notify, false), languages, daily_limit
    FROM ${givenRows(db, rows)}
    ON CONFLICT (account_id, target_account_id) DO NOTHING RETURNING ${columns(db, "f")}
  `;
  for (const { accountId, targetId } of rows) invalidateFollow(db, accountId, targetId);
  return [...stored];
};

/** Keeps the values of options that are not given. Returns the follows that exist. */
export const updateFollows = async (db: Db, table: FollowTable, rows: FollowRow[]) => {
  if (rows.length === 0) return [];
  const stored = await db<StoredFollow[]>`
    UPDATE ${db(table)} AS f SET
      show_reblogs = coalesce(g.reblogs, f.show_reblogs), notify = coalesce(g.notify, f.notify),
      show_replies = coalesce(g.replies, f.show_replies),
      daily_limit = CASE WHEN g.sets_limit THEN g.daily_limit ELSE f.daily_limit END,
      languages = CASE WHEN g.sets_languages THEN g.languages ELSE f.languages END,
      uri = coalesce(g.uri, f.uri)
    FROM ${givenRows(db, rows)}
    WHERE f.account_id = g."accountId" AND f.target_account_id = g."targetId"
    RETURNING ${columns(db, "f")}
  `;
  for (const { accountId, targetId } of rows)
    invalidate(db, `followers:${targetId}`, `relations:${accountId}`);
  return [...stored];
};

/** Returns the uri of the deleted row; undefined when there was none. */
export const deleteFollow = async (
  db: Db,
  table: FollowTable,
  accountId: string,
  targetId: string,
): Promise<string | null | undefined> => {
  const [row] = await db<{ uri: string | null }[]>`
    DELETE FROM ${db(table)}
    WHERE account_id = ${accountId} AND target_account_id = ${targetId} RETURNING uri
  `;
  if (row) invalidateFollow(db, accountId, targetId);
  return row?.uri;
};

type AcceptedRow = { uri: string | null; inserted: boolean };

/** Turns a request into a follow; returns null when there was no request. `inserted` says that the follow is new. */
export const acceptRequest = async (db: Db, accountId: string, targetId: string) => {
  const options = db.unsafe(OPTIONS.join(", "));
  const [row] = await db<AcceptedRow[]>`
    WITH request AS (
      DELETE FROM follow_requests
      WHERE account_id = ${accountId} AND target_account_id = ${targetId} RETURNING *
    ), new_follow AS (
      INSERT INTO follows (account_id, target_account_id, uri, ${options})
      SELECT account_id, target_account_id, uri, ${options} FROM request
      ON CONFLICT (account_id, target_account_id) DO NOTHING RETURNING id
    )
    SELECT request.uri, EXISTS (SELECT FROM new_follow) AS inserted FROM request
  `;
  invalidateFollow(db, accountId, targetId);
  return row ?? null;
};

/** Returns false when the block existed; then its uri stays, which the other server knows. */
export const insertBlock = async (db: Db, accountId: string, targetId: string, uri: string) => {
  const [row] = await db<{ inserted: boolean }[]>`
    INSERT INTO blocks (account_id, target_account_id, uri)
    VALUES (${accountId}, ${targetId}, ${uri})
    ON CONFLICT (account_id, target_account_id) DO UPDATE SET uri = blocks.uri
    RETURNING uri = ${uri} AS inserted
  `;
  invalidatePair(db, accountId, targetId);
  return row!.inserted;
};

/** Returns the uri of the deleted row; undefined when there was none. */
export const deleteBlock = async (db: Db, accountId: string, targetId: string) => {
  const [row] = await db<{ uri: string | null }[]>`
    DELETE FROM blocks
    WHERE account_id = ${accountId} AND target_account_id = ${targetId} RETURNING uri
  `;
  if (row) invalidatePair(db, accountId, targetId);
  return row?.uri;
};

type MuteRow = {
  accountId: string;
  targetId: string;
  hideNotifications: boolean;
  expiresAt: Date | null;
};

/** Restarts a mute that had ended by `now`, at the top of the list. */
export const upsertMute = async (db: Db, mute: MuteRow, now: Date): Promise<void> => {
  const ended = db`mutes.expires_at IS NOT NULL AND mutes.expires_at <= ${now}`;
  await db`
    INSERT INTO mutes (account_id, target_account_id, hide_notifications, expires_at)
    VALUES (${mute.accountId}, ${mute.targetId}, ${mute.hideNotifications}, ${mute.expiresAt})
    ON CONFLICT (account_id, target_account_id) DO UPDATE SET
      id = CASE WHEN ${ended} THEN excluded.id ELSE mutes.id END,
      created_at = CASE WHEN ${ended} THEN excluded.created_at ELSE mutes.created_at END,
      hide_notifications = excluded.hide_notifications, expires_at = excluded.expires_at
  `;
  invalidateFollow(db, mute.accountId, mute.targetId);
};

export const deleteMute = async (db: Db, accountId: string, targetId: string): Promise<void> => {
  const { count } = await db`
    DELETE FROM mutes WHERE account_id = ${accountId} AND target_account_id = ${targetId}
  `;
  if (count > 0) invalidateFollow(db, accountId, targetId);
};

/** Returns false when the mute was undone, or has not ended yet. */
export const deleteEndedMute = async (db: Db, accountId: string, targetId: string, now: Date) => {
  const { count } = await db`
    DELETE FROM mutes
    WHERE account_id = ${accountId} AND target_account_id = ${targetId} AND expires_at <= ${now}
  `;
  if (count > 0) invalidateFollow(db, accountId, targetId);
  return count > 0;
};

type Ends = { account_id: string; target_account_id: string };

/** Selects the ids of a slice of rows with the account at either end. */
const sliceOf = (db: Db, table: string, accountId: string) => db`
  ARRAY(SELECT id FROM ${db(table)} WHERE account_id = ${accountId} LIMIT ${SLICE})
  || ARRAY(SELECT id FROM ${db(table)} WHERE target_account_id = ${accountId} LIMIT ${SLICE})
`;

/** Deletes a slice of the follows of an account that is removed; returns both ends of each. */
export const deleteFollowsOf = async (db: Db, accountId: string): Promise<Ends[]> => {
  const rows = await db<Ends[]>`
    DELETE FROM follows WHERE id = ANY(${sliceOf(db, "follows", accountId)})
    RETURNING account_id, target_account_id
  `;
  for (const row of rows) invalidateFollow(db, row.account_id, row.target_account_id);
  return rows;
};

/** Deletes a slice of the requests, blocks and mutes; returns their number. */
export const deleteOtherRelationsOf = async (db: Db, accountId: string): Promise<number> => {
  const rows = await db<Ends[]>`
    WITH requests AS (
      DELETE FROM follow_requests WHERE id = ANY(${sliceOf(db, "follow_requests", accountId)})
      RETURNING account_id, target_account_id
    ), blocked AS (
      DELETE FROM blocks WHERE id = ANY(${sliceOf(db, "blocks", accountId)})
      RETURNING account_id, target_account_id
    ), muted AS (
      DELETE FROM mutes WHERE id = ANY(${sliceOf(db, "mutes", accountId)})
      RETURNING account_id, target_account_id
    )
    SELECT * FROM requests UNION ALL SELECT * FROM blocked UNION ALL SELECT * FROM muted
  `;
  for (const row of rows) invalidateFollow(db, row.account_id, row.target_account_id);
  return rows.length;
};

/** Deletes a slice of the private notes about an account and of its dismissals as a suggestion. */
export const deleteNotesAbout = async (db: Db, accountId: string): Promise<boolean> => {
  const isMore = await deleteSliceOf(db, "account_notes", "target_account_id", accountId);
  const dismissed = await deleteSliceOf(
    db,
    "dismissed_suggestions",
    "target_account_id",
    accountId,
  );
  return isMore || dismissed;
};

export type EndedFollow = StoredFollow & {
  uri: string | null;
  /** False for a request. */
  followed: boolean;
};

/** Which follows are meant: those of the accounts alone, or also those that others have of them. */
export type Side = "own" | "both";

/** Deletes a slice of the follows and requests that these accounts have with anybody. */
export const deleteFollowsWith = async (db: Db, accountIds: string[], side: Side) => {
  const of = (table: string, column: string) => db`
    ARRAY(SELECT id FROM ${db(table)} WHERE ${db(column)} = ANY(${accountIds}::bigint[]) LIMIT ${SLICE})
  `;
  const slice = (table: string) =>
    side === "own"
      ? of(table, "account_id")
      : db`${of(table, "account_id")} || ${of(table, "target_account_id")}`;
  const columns = db.unsafe(["account_id", "target_account_id", "uri", ...OPTIONS].join(", "));
  const rows = await db<EndedFollow[]>`
    WITH followed AS (
      DELETE FROM follows WHERE id = ANY(${slice("follows")}) RETURNING ${columns}
    ), requests AS (
      DELETE FROM follow_requests WHERE id = ANY(${slice("follow_requests")}) RETURNING ${columns}
    )
    SELECT *, true AS followed FROM followed UNION ALL SELECT *, false FROM requests
  `;
  for (const row of rows) invalidateFollow(db, row.account_id, row.target_account_id);
  return [...rows];
};
