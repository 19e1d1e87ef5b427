// SQL of what people do with statuses: favourites with their reactions, bookmarks, pins, muted conversations; and of
// marks, by which a viewer sees on a page what they did with its statuses, and their relations to its authors.

import { invalidate } from "../../../platform/db/commits.ts";
import type { CacheKey } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import type { StoredEvent } from "../../../platform/outbox/index.ts";
import { eventInsert } from "../../../platform/outbox/queries.ts";

export const MARKS = {
  favourited: 1,
  reblogged: 2,
  bookmarked: 4,
  pinned: 8,
  following: 16,
  blocking: 32,
  blockedBy: 64,
  muting: 128,
  /** A mute that expires. */
  mutingForNow: 256,
  /** The viewer blocks the author's domain; comes from cache.ts instead of selectMarks. */
  domainBlocking: 512,
} as const;

/** Returns the key that an act on a status invalidates: the viewer's marks on it (cache.ts). */
export const markKey = (viewerId: string, statusId: string): CacheKey =>
  `mark:${viewerId}/${statusId}`;

export const statusKeys = (ids: string[]): CacheKey[] => ids.map((id) => `status:${id}` as const);

/** `id` is that of the status for the first four marks, of the author for the others. */
type MarkRow = { mark: number; id: string };

type MarkLookup = {
  viewerId: string;
  statusIds: string[];
  /** Ids of the viewer's own statuses, which alone can be pinned. */
  ownIds: string[];
  authorIds: string[];
  /** Time before which mutes have expired. */
  now: Date;
};

/** Writes an array literal: the driver's own encoding visits every element several times. */
export const idList = (ids: string[]): string => `{${ids.join()}}`;

export const selectMarks = (db: Db, lookup: MarkLookup) => {
  const { viewerId, now } = lookup;
  const [statusIds, authorIds] = [idList(lookup.statusIds), idList(lookup.authorIds)];
  return db<MarkRow[]>`
    SELECT ${MARKS.favourited}::int AS mark, status_id AS id FROM favourites
    WHERE account_id = ${viewerId} AND status_id = ANY(${statusIds}::bigint[])
    UNION ALL
    SELECT ${MARKS.reblogged}::int, reblog_of_id FROM statuses
    WHERE account_id = ${viewerId} AND reblog_of_id = ANY(${statusIds}::bigint[])
    UNION ALL
    SELECT ${MARKS.bookmarked}::int, status_id FROM bookmarks
    WHERE account_id = ${viewerId} AND status_id = ANY(${statusIds}::bigint[])
    UNION ALL
    SELECT ${MARKS.pinned}::int, status_id FROM status_pins
    WHERE account_id = ${viewerId} AND status_id = ANY(${idList(lookup.ownIds)}::bigint[])
    UNION ALL
    SELECT ${MARKS.following}::int, target_account_id FROM follows
    WHERE account_id = ${viewerId} AND target_account_id = ANY(${authorIds}::bigint[])
    UNION ALL
    SELECT ${MARKS.blocking}::int, target_account_id FROM blocks
    WHERE account_id = ${viewerId} AND target_account_id = ANY(${authorIds}::bigint[])
    UNION ALL
    SELECT ${MARKS.blockedBy}::int, account_id FROM blocks
    WHERE target_account_id = ${viewerId} AND account_id = ANY(${authorIds}::bigint[])
    UNION ALL
    SELECT CASE WHEN expires_at IS NULL THEN ${MARKS.muting}::int ELSE ${MARKS.mutingForNow}::int END,
      target_account_id
    FROM mutes
    WHERE account_id = ${viewerId} AND target_account_id = ANY(${authorIds}::bigint[])
      AND (expires_at IS NULL OR expires_at > ${now})
  `;
};

/** Returns what a bookmark or pin invalidates: the page of an account has what it pinned. */
const keysOf = (table: string, accountId: string, statusId: string): CacheKey[] => [
  markKey(accountId, statusId),
  ...(table === "status_pins" ? [`account:${accountId}` as const] : []),
];

/** Inserts a bookmark or pin, a row of account × status; returns true when it is new. */
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
  if (rows.length > 0) invalidate(db, ...keysOf(table, accountId, statusId));
  return rows.length > 0;
};

/** Returns true when there was one. */
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
  if (rows.length > 0) invalidate(db, ...keysOf(table, accountId, statusId));
  return rows.length > 0;
};

export type FavouriteOf = { accountId: string; statusId: string };

type FavouriteEvent = "status.favourited" | "status.unfavourited";
/** The event, with the count of the status after the statement. */
export type StoredFavourite = StoredEvent<FavouriteEvent> & { favourites_count: string };

const favouriteEvents = async (db: Db, query: PromiseLike<readonly StoredFavourite[]>) => {
  const events = [...(await query)];
  invalidate(db, ...statusKeys(events.map(({ payload }) => payload.statusId)));
  invalidate(db, ...events.map(({ payload }) => markKey(payload.accountId, payload.statusId)));
  return events;
};

/**
 * Locks those of the posts that exist until the end: a deletion locks a post before its dependent rows, so that one of
 * the two waits for the other without a deadlock.
 */
const keptStatuses = (db: Db, favourites: FavouriteOf[]) => {
  const ids = favourites.map(({ statusId }) => statusId);
  return db`SELECT id FROM statuses WHERE id = ANY(${ids}::bigint[]) ORDER BY id FOR KEY SHARE`;
};

/**
 * Inserts favourites, their counts and their events in one statement; existing ones and those of deleted statuses are
 * skipped. `owner` is this process, when its worker gets the events.
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
    WITH kept AS MATERIALIZED (${keptStatuses(db, favourites)}), favourite AS (
      INSERT INTO favourites (account_id, status_id, uri, reaction, reaction_url)
      SELECT "accountId", "statusId", uri, reaction, "reactionUrl"
      FROM jsonb_to_recordset(${db.json(favourites)})
        AS f ("accountId" bigint, "statusId" bigint, uri text, reaction text, "reactionUrl" text)
        JOIN kept ON kept.id = "statusId"
      ON CONFLICT (account_id, status_id) DO NOTHING
      RETURNING account_id, status_id, uri, reaction
    ), counted AS (
      INSERT INTO status_stats AS s (status_id, favourites_count)
      SELECT status_id, count(*) FROM favourite GROUP BY 1 ORDER BY 1
      ON CONFLICT (status_id) DO UPDATE SET
        favourites_count = s.favourites_count + excluded.favourites_count
      RETURNING status_id, favourites_count
    ), event AS (
      ${eventInsert(db, owner, db`SELECT 'status.favourited', ${actOf(db)} FROM favourite`)}
    )
    ${countedEvents(db)}
  `,
  );

/** Deletes those that exist; otherwise works as insertFavourites. */
export const deleteFavourites = (db: Db, favourites: FavouriteOf[], owner: string | null) =>
  favouriteEvents(
    db,
    db<StoredFavourite[]>`
    WITH kept AS MATERIALIZED (${keptStatuses(db, favourites)}), favourite AS (
      DELETE FROM favourites f
      USING jsonb_to_recordset(${db.json(favourites)})
        AS gone ("accountId" bigint, "statusId" bigint) JOIN kept ON kept.id = "statusId"
      WHERE f.account_id = gone."accountId" AND f.status_id = gone."statusId"
      RETURNING f.account_id, f.status_id, f.uri, f.reaction
    ), counted AS (
      UPDATE status_stats s SET favourites_count = greatest(0, s.favourites_count - g.count)
      FROM (SELECT status_id, count(*) AS count FROM favourite GROUP BY 1) g
      WHERE s.status_id = g.status_id
      RETURNING s.status_id, s.favourites_count
    ), event AS (
      ${eventInsert(db, owner, db`SELECT 'status.unfavourited', ${actOf(db)} FROM favourite`)}
    )
    ${countedEvents(db)}
  `,
  );

/** Makes the payload of Favourited (events.ts). */
const actOf = (db: Db) => db`jsonb_strip_nulls(jsonb_build_object(
  'accountId', account_id::text, 'statusId', status_id::text, 'uri', uri, 'reaction', reaction
))`;

/** Selects and locks the account's favourite of the status. */
export const lockFavourite = (db: Db, { accountId, statusId }: FavouriteOf) =>
  firstRow(db<{ reaction: string | null }[]>`
    SELECT reaction FROM favourites WHERE account_id = ${accountId} AND status_id = ${statusId}
    FOR UPDATE
  `);

const countedEvents = (db: Db) => db`
  SELECT e.id, e.type, e.payload, coalesce(c.favourites_count, 0) AS favourites_count
  FROM event e LEFT JOIN counted c ON c.status_id = (e.payload->>'statusId')::bigint
`;

/** Posts that are read anew after a change of their reactors; others are when something else changes them. */
const MAX_REACTED = 10_000;

/** Invalidates the posts to which these accounts reacted, whose suspension or return changes the counts. */
export const reactedTo = async (db: Db, accountIds: string[]): Promise<void> => {
  const rows = await db<{ id: string }[]>`
    SELECT DISTINCT status_id AS id FROM favourites
    WHERE account_id = ANY(${accountIds}::bigint[]) AND reaction IS NOT NULL LIMIT ${MAX_REACTED}
  `;
  invalidate(db, ...statusKeys(rows.map(({ id }) => id)));
};

// An account favourites a post once, but may react to it on other servers with several emojis. An undone one leaves the
// others.

/** Further reactions that are kept beside the first. */
const MAX_FURTHER = 10;

type RemoteFavourite = FavouriteOf & {
  uri: string;
  reaction?: string | null;
  reactionUrl?: string | null;
};

/**
 * Inserts reactions to posts that the account favourited by another activity, with an emoji that is not among them; the
 * limit also counts reactions of the same batch.
 */
export const insertFurther = (db: Db, favourites: RemoteFavourite[]) => db`
  INSERT INTO further_reactions (favourite_id, uri, reaction, reaction_url)
  SELECT n.favourite_id, n.uri, n.reaction, n.reaction_url
  FROM (
    SELECT d.*, row_number() OVER (PARTITION BY favourite_id ORDER BY place) AS n FROM (
      SELECT DISTINCT ON (f.id, g.reaction) f.id AS favourite_id, g.uri, g.reaction,
        g."reactionUrl" AS reaction_url, g.place
      FROM ROWS FROM (jsonb_to_recordset(${db.json(favourites)}) AS (
        "accountId" bigint, "statusId" bigint, uri text, reaction text, "reactionUrl" text
      )) WITH ORDINALITY
        AS g ("accountId", "statusId", uri, reaction, "reactionUrl", place)
      JOIN favourites f ON f.account_id = g."accountId" AND f.status_id = g."statusId"
      WHERE f.uri <> g.uri AND f.reaction IS DISTINCT FROM g.reaction
        AND NOT EXISTS (
          SELECT FROM further_reactions r
          WHERE r.favourite_id = f.id AND r.reaction IS NOT DISTINCT FROM g.reaction
        )
      ORDER BY f.id, g.reaction, g.place
    ) AS d
  ) AS n
  WHERE n.n + (
    SELECT count(*) FROM further_reactions r WHERE r.favourite_id = n.favourite_id
  ) <= ${MAX_FURTHER}
  ON CONFLICT DO NOTHING
`;

/** Deletes the reactions with these addresses, and returns them. */
export const deleteFurther = (db: Db, uris: string[]) => db<{ uri: string }[]>`
  DELETE FROM further_reactions WHERE uri = ANY(${uris}) RETURNING uri
`;

/** Replaces each first reaction that ends with one of the further ones; returns the addresses of those. */
export const promoteFurther = async (db: Db, uris: string[]): Promise<string[]> => {
  const rows = await db<{ uri: string; status_id: string }[]>`
    WITH next AS (
      DELETE FROM further_reactions r USING (
        SELECT DISTINCT ON (f.id) f.id, f.uri AS ended, n.uri
        FROM favourites f JOIN further_reactions n ON n.favourite_id = f.id
        WHERE f.uri = ANY(${uris}) ORDER BY f.id, n.uri
      ) AS t
      WHERE r.favourite_id = t.id AND r.uri = t.uri
      RETURNING r.favourite_id, r.uri, r.reaction, r.reaction_url, t.ended
    )
    UPDATE favourites f
    SET uri = next.uri, reaction = next.reaction, reaction_url = next.reaction_url
    FROM next WHERE f.id = next.favourite_id
    RETURNING next.ended AS uri, f.status_id
  `;
  invalidate(db, ...rows.map((row) => `status:${row.status_id}` as const));
  return rows.map(({ uri }) => uri);
};

export const countPins = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM status_pins WHERE account_id = ${accountId}
  `);

export const insertConversationMute = async (db: Db, accountId: string, id: string) => {
  await db`
    INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (${accountId}, ${id})
    ON CONFLICT (account_id, conversation_id) DO NOTHING
  `;
};

/** Returns false when there was none. */
export const deleteConversationMute = (db: Db, accountId: string, id: string): Promise<boolean> =>
  hasRows(db`
    DELETE FROM conversation_mutes WHERE account_id = ${accountId} AND conversation_id = ${id}
  `);
