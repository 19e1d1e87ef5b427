// SQL of the inbox's batches: what waits, and everything that has to be known to judge a hundred
// activities, each question asked once for all of them.

import type { Db } from "../../platform/db/index.ts";
import type { KnownActor } from "./queries.ts";

export type NewIncoming = { uri: string; actorUri: string; body: string };
export type StoredIncoming = { id: string; uri: string; actor_uri: string };

/** Those that are new; what an actor has sent before under the same id is left out. */
export const insertManyIncoming = (db: Db, rows: NewIncoming[], now: Date) => db<StoredIncoming[]>`
  INSERT INTO incoming_activities (uri, actor_uri, body, received_at)
  SELECT uri, actor_uri, body, ${now}::timestamptz
  FROM unnest(
    ${rows.map((row) => row.uri)}::text[], ${rows.map((row) => row.actorUri)}::text[],
    ${rows.map((row) => row.body)}::text[]
  ) AS g (uri, actor_uri, body)
  ON CONFLICT (actor_uri, uri) DO NOTHING
  RETURNING id, uri, actor_uri
`;

/** Any number that nothing else locks; one batch at a time is chosen. */
const BATCH_LOCK = 7_205_316_184;

/** Held until the transaction ends. */
export const lockBatches = (db: Db) => db`SELECT pg_advisory_xact_lock(${BATCH_LOCK})`;

export type WaitingRow = { id: string; actor_uri: string; attempts: number };

/** The oldest that are due, without those of an actor of whom one is in hand. */
export const selectWaiting = (db: Db, now: Date, limit: number) => db<WaitingRow[]>`
  SELECT i.id, i.actor_uri, i.attempts
  FROM incoming_activities i
  WHERE i.done_at IS NULL AND (i.retry_at IS NULL OR i.retry_at <= ${now})
    AND i.actor_uri NOT IN (
      SELECT busy.actor_uri FROM incoming_activities busy WHERE busy.claimed_until > ${now}
    )
  ORDER BY i.id LIMIT ${limit}
`;

export const selectBodies = (db: Db, ids: string[]) => db<{ id: string; body: string }[]>`
  SELECT id, body FROM incoming_activities WHERE id = ANY(${ids}::bigint[])
`;

/** Takes rows in hand until `until`. */
export const claimMany = (db: Db, ids: string[], until: Date) => db`
  UPDATE incoming_activities SET claimed_until = ${until}, attempts = attempts + 1
  WHERE id = ANY(${ids}::bigint[])
`;

/** Keeps the rows, so that a repeat is known, and lets go of their bodies. */
export const finishMany = (db: Db, ids: string[], now: Date) => db`
  UPDATE incoming_activities SET done_at = ${now}, claimed_until = NULL, body = ''
  WHERE id = ANY(${ids}::bigint[])
`;

/** When the last claim ends; null when nothing is in hand. */
export const selectLastClaim = async (db: Db, now: Date): Promise<Date | null> => {
  const [row] = await db<{ until: Date | null }[]>`
    SELECT max(claimed_until) AS until FROM incoming_activities
    WHERE claimed_until > ${now}
  `;
  return row!.until;
};

/** For a process that has just started and is the only one: what was in hand died with the last. */
export const releaseClaims = (db: Db) => db`
  UPDATE incoming_activities SET claimed_until = NULL
  WHERE claimed_until IS NOT NULL
`;

export const selectActors = (db: Db, uris: string[]) => db<KnownActor[]>`
  SELECT id, uri, domain, username, followers_url, featured_url, featured_tags_url,
         suspended_at IS NOT NULL AS suspended
  FROM accounts WHERE uri = ANY(${uris})
`;

export type StatusFacts = {
  id: string;
  uri: string;
  account_id: string;
  local: boolean;
  visibility: string;
  reblog_of_id: string | null;
  conversation_id: string | null;
  author_suspended: boolean;
};

export const selectStatusFacts = (db: Db, uris: string[]) => db<StatusFacts[]>`
  SELECT s.id, s.uri, s.account_id, s.local, s.visibility, s.reblog_of_id, s.conversation_id,
         a.suspended_at IS NOT NULL AS author_suspended
  FROM statuses s JOIN accounts a ON a.id = s.account_id
  WHERE s.uri = ANY(${uris})
`;

export const selectEarlyDeletes = (db: Db, uris: string[]) => db<
  { actor_uri: string; uri: string }[]
>`
  SELECT actor_uri, uri FROM early_deletes WHERE uri = ANY(${uris})
`;

export const insertEarlyDeletes = (db: Db, rows: { actorUri: string; uri: string }[], now: Date) =>
  db`
  INSERT INTO early_deletes (actor_uri, uri, created_at)
  SELECT actor_uri, uri, ${now}::timestamptz
  FROM unnest(${rows.map((row) => row.actorUri)}::text[], ${rows.map((row) => row.uri)}::text[])
    AS g (actor_uri, uri)
  ON CONFLICT (uri, actor_uri) DO NOTHING
`;

/** Those of the accounts whom somebody here follows. */
export const selectFollowedHere = (db: Db, ids: string[]) => db<{ id: string }[]>`
  SELECT t.id FROM unnest(${ids}::bigint[]) AS t (id)
  WHERE EXISTS (SELECT FROM follows f WHERE f.target_account_id = t.id AND f.local)
`;

/** Of pairs of author and actor those where the author blocks the actor. */
export const selectBarred = (db: Db, authorIds: string[], actorIds: string[]) => db<
  { author_id: string; actor_id: string }[]
>`
  SELECT b.account_id AS author_id, b.target_account_id AS actor_id
  FROM unnest(${authorIds}::bigint[], ${actorIds}::bigint[]) AS p (author_id, actor_id)
  JOIN blocks b ON b.account_id = p.author_id AND b.target_account_id = p.actor_id
`;

/** Favourites by the address of their Like. */
export const selectLikes = (db: Db, uris: string[]) => db<
  { account_id: string; status_id: string; uri: string }[]
>`
  SELECT account_id, status_id, uri FROM favourites WHERE uri = ANY(${uris})
`;

/** Those of the addresses that are of a consent to a quote. */
export const selectStamps = (db: Db, uris: string[]) => db<{ uri: string }[]>`
  SELECT DISTINCT approval_uri AS uri FROM quotes WHERE approval_uri = ANY(${uris})
`;
