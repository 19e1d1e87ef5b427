// SQL of incoming activities: new, waiting, in progress and done. Statements on waiting activities are planned each
// time: a plan made when none waited would read all of them for each batch.

import type { Db, Sql } from "../../platform/db/index.ts";
import { firstValue, onlyValue } from "../../platform/db/rows.ts";
import { unprepared } from "../../platform/db/unprepared.ts";
import type { Share } from "../../platform/workers/lease.ts";
import { isOrphaned, SHARDS, shardOf } from "../../platform/workers/queries.ts";

export type NewIncoming = {
  uri: string;
  /** Another id under which the activity is known from then on. */
  also?: string;
  actorUri: string;
  body: string;
};
type StoredIncoming = { id: string; uri: string; actor_uri: string };

const WEEK_MS = 7 * 86_400_000;
/** Number of partitions of seen_activities: for this week, the last one, and an empty one. */
const SLOTS = 3;

/** Returns the partition of the week, or of one so many weeks later. */
const slotOf = (date: Date, weeks = 0): number =>
  (Math.floor(date.getTime() / WEEK_MS) + weeks) % SLOTS;

/**
 * Inserts activities and returns the new ones, in order; one that the actor sent under the same id in this week or the
 * last is ignored. Two that arrive at the turn of the week may both count as new, which does no harm: activities are
 * idempotent.
 */
export const insertManyIncoming = (db: Db, rows: NewIncoming[], now: Date) => db<StoredIncoming[]>`
  WITH incoming AS MATERIALIZED (
    SELECT DISTINCT ON (key) n, key, uri, also, actor_uri, body
    FROM unnest(
      ${rows.map((row) => row.uri)}::text[], ${rows.map((row) => row.also ?? null)}::text[],
      ${rows.map((row) => row.actorUri)}::text[], ${rows.map((row) => row.body)}::text[]
    ) WITH ORDINALITY AS g (uri, also, actor_uri, body, n), uri_key(actor_uri || ' ' || uri) AS key
    ORDER BY key, n
  ), known AS MATERIALIZED (
    -- The insertion below knows those of this week.
    SELECT key FROM seen_activities
    WHERE slot = ${slotOf(now, -1)}::smallint AND key = ANY(ARRAY(SELECT key FROM incoming))
  ), fresh AS (
    INSERT INTO seen_activities (slot, key)
    SELECT ${slotOf(now)}::smallint, key FROM (
      SELECT key FROM incoming WHERE key NOT IN (SELECT key FROM known)
      UNION
      SELECT uri_key(actor_uri || ' ' || also) FROM incoming WHERE also IS NOT NULL
    ) AS g
    ORDER BY key
    ON CONFLICT (key, slot) DO NOTHING
    RETURNING key
  )
  INSERT INTO incoming_activities (uri, actor_uri, body, received_at)
  SELECT uri, actor_uri, body, ${now}::timestamptz
  FROM incoming JOIN fresh USING (key) ORDER BY n
  RETURNING id, uri, actor_uri
`;

/** Empties the partition of next week, unless it is empty; never waits long for a lock. */
export const emptyNextSlot = async (sql: Sql, now: Date): Promise<void> => {
  const table = `seen_activities_${slotOf(now, 1)}`;
  await sql.begin(async (tx) => {
    const isUsed = await onlyValue(tx<{ used: boolean }[]>`
      SELECT EXISTS (SELECT FROM ${tx(table)}) AS used
    `);
    if (!isUsed) return;
    await tx`SET LOCAL lock_timeout = '2s'`;
    await tx`TRUNCATE ${tx(table)}`;
  });
};

/** Advisory lock by which the batches of a shard are chosen one at a time; the number is arbitrary. */
const BATCH_LOCK = 720_531_618;

/** Returns the shards that this worker processes; null for all, where it is the only worker. */
export const shardsOf = (share: Share | null): number[] | null =>
  share &&
  Array.from({ length: SHARDS }, (_, shard) => shard).filter(
    (shard) => shard % share.of === share.at,
  );

/** Locks until the transaction ends; all workers lock in the same order. */
export const lockBatches = (db: Db, shards: number[] | null) => db`
  SELECT pg_advisory_xact_lock(${BATCH_LOCK}::int, shard)
  FROM unnest(${shards ?? [SHARDS]}::int[]) AS g (shard)
`;

const isIn = (db: Db, shards: number[] | null) =>
  shards ? db`${shardOf(db, db`actor_uri`)} = ANY(${shards}::bigint[])` : db`true`;

/** `bytes` is the size of the body, which is known without reading it. */
export type WaitingRow = { id: string; actor_uri: string; attempts: number; bytes: number };

/** Time for which a new activity may be invisible: it has an id from before its commit. */
const UNSEEN = "5 seconds";

/**
 * Selects an id up to which nothing waits, searching from an earlier one. Without it, deleted rows would be scanned in
 * the index as long as a transaction, such as a backup's, may still see them (docs/design/write-path.md).
 */
export const selectFloor = (db: Db, from: string): Promise<string> =>
  onlyValue(
    unprepared(db<{ floor: string }[]>`
    SELECT least(
      (SELECT id FROM incoming_activities WHERE id > ${from} ORDER BY id LIMIT 1),
      floor(extract(epoch FROM clock_timestamp() - ${UNSEEN}::interval) * 1000)::bigint << 16
    ) - 1 AS floor
  `),
  );

type WaitingQuery = {
  now: Date;
  /** No activity up to this id waits. */
  floor: string;
  /** Selects only activities with greater ids. */
  after: string;
  /** Activities claimed by this process that are ready to be judged again. */
  ready: string[];
  shards: number[] | null;
  limit: number;
};

/** Selects the oldest activities that are due and not claimed, and those that are ready again. */
export const selectWaiting = (db: Db, { now, floor, after, ready, shards, limit }: WaitingQuery) =>
  unprepared(db<WaitingRow[]>`
  SELECT id, actor_uri, attempts, octet_length(body) AS bytes FROM incoming_activities
  WHERE id > ${ready.length > 0 ? floor : after} AND ((
      id > ${after} AND (retry_at IS NULL OR retry_at <= ${now})
      AND (claimed_until IS NULL OR claimed_until <= ${now}) AND ${isIn(db, shards)}
    )
    OR id = ANY(${ready}::bigint[]))
  ORDER BY id LIMIT ${limit}
`);

/** Selects when the oldest due and unclaimed activity was received; null if there is none. */
export const selectOldestWaiting = (db: Db, now: Date, floor: string): Promise<Date | null> =>
  firstValue(
    unprepared(db<{ received_at: Date }[]>`
    SELECT received_at FROM incoming_activities
    WHERE id > ${floor} AND (retry_at IS NULL OR retry_at <= ${now})
      AND (claimed_until IS NULL OR claimed_until <= ${now})
    ORDER BY id LIMIT 1
  `),
  );

/** Selects those of a failed batch that are still waiting. */
export const selectStillWaiting = (db: Db, ids: string[]) =>
  unprepared(db<WaitingRow[]>`
  SELECT id, actor_uri, attempts, octet_length(body) AS bytes FROM incoming_activities
  WHERE id = ANY(${ids}::bigint[])
  ORDER BY id
`);

export const selectBodies = (db: Db, ids: string[]) =>
  unprepared(db<{ id: string; body: string }[]>`
  SELECT id, body FROM incoming_activities WHERE id = ANY(${ids}::bigint[])
`);

export type InProgress = { actor_uri: string; subjects: string[] };

/** Selects the subjects of these actors' activities in progress, without those in `ready`. */
export const selectInProgress = (db: Db, actorUris: string[], ready: string[], now: Date) =>
  unprepared(db<InProgress[]>`
  SELECT actor_uri, subjects FROM incoming_activities
  WHERE subjects IS NOT NULL AND actor_uri = ANY(${actorUris})
    AND (claimed_until > ${now} OR retry_at > ${now})
    AND id <> ALL(${ready}::bigint[])
`);

export type Claim = { id: string; subjects: string[] };

/** Claims activities until `until`, while this process lives; later ones about the same subjects wait. */
export const claimMany = (db: Db, owner: string, claims: Claim[], until: Date) =>
  unprepared(db`
  UPDATE incoming_activities i
  SET claimed_until = ${until}, owner = ${owner}, subjects = c.subjects
  FROM jsonb_to_recordset(${db.json(claims)}) AS c (id bigint, subjects jsonb)
  WHERE i.id = c.id
`);

/** Postpones activities to `until` and ends their claims; later ones about the same subjects wait. */
export const postponeMany = (db: Db, claims: Claim[], until: Date) =>
  unprepared(db`
  UPDATE incoming_activities i
  SET retry_at = ${until}, claimed_until = NULL, subjects = c.subjects
  FROM jsonb_to_recordset(${db.json(claims)}) AS c (id bigint, subjects jsonb)
  WHERE i.id = c.id
`);

/** Extends the claims that this process still has. */
export const renewMany = (db: Db, owner: string, ids: string[], until: Date) =>
  unprepared(db`
  UPDATE incoming_activities SET claimed_until = ${until}
  WHERE id = ANY(${ids}::bigint[]) AND owner = ${owner} AND claimed_until IS NOT NULL
`);

export type Retry = { id: string; retryAt: Date };

/** Makes failed activities due again at `retryAt`; later ones need not wait for them. */
export const retryMany = (db: Db, retries: Retry[]) =>
  unprepared(db`
  UPDATE incoming_activities i
  SET retry_at = r."retryAt", attempts = attempts + 1, claimed_until = NULL, subjects = NULL
  FROM jsonb_to_recordset(${db.json(retries as never)}) AS r (id bigint, "retryAt" timestamptz)
  WHERE i.id = r.id
`);

/** Deletes finished activities; seen_activities remembers their ids. */
export const finishMany = (db: Db, ids: string[]) =>
  unprepared(db`
  DELETE FROM incoming_activities WHERE id = ANY(${ids}::bigint[])
`);

/** Selects when the last claim expires; null when nothing is in progress. */
export const selectLastClaim = (db: Db, now: Date): Promise<Date | null> =>
  onlyValue(db<{ until: Date | null }[]>`
    SELECT max(claimed_until) AS until FROM incoming_activities
    WHERE claimed_until > ${now}
  `);

/** Ends the claims of dead processes. */
export const releaseClaims = (db: Db) =>
  unprepared(db`
  UPDATE incoming_activities SET claimed_until = NULL, owner = NULL, subjects = NULL
  WHERE claimed_until IS NOT NULL AND ${isOrphaned(db)}
`);

type Forwarder = {
  status_id: string;
  account_id: string;
  /** True when the account blocks the author of the post. */
  blocks: boolean;
};

/** Boosts of one post that are looked at. */
const MAX_BOOSTS = 50;

/**
 * Selects accounts whose followers get what happens to statuses: local people who were replied to, or who boosted them.
 */
export const selectForwarders = (db: Db, statusIds: string[]) => db<Forwarder[]>`
  SELECT g.id AS status_id, f.account_id, f.blocks
  FROM unnest(${statusIds}::bigint[]) AS g (id)
  CROSS JOIN LATERAL (
    SELECT p.account_id, EXISTS (
      SELECT FROM blocks b
      WHERE b.account_id = p.account_id AND b.target_account_id = s.account_id
    ) AS blocks
    FROM statuses s JOIN statuses p ON p.id = s.in_reply_to_id AND p.local
    WHERE s.id = g.id
    UNION
    (SELECT r.account_id, false FROM statuses r WHERE r.reblog_of_id = g.id AND r.local
    LIMIT ${MAX_BOOSTS})
  ) AS f
`;

/** Selects the pairs where the account blocks the actor or the actor's domain. */
export const selectBlockedPairs = (db: Db, pairs: { accountId: string; actorId: string }[]) => db<
  { account_id: string; actor_id: string }[]
>`
  SELECT p.account_id, p.actor_id
  FROM unnest(
    ${pairs.map(({ accountId }) => accountId)}::bigint[], ${pairs.map(({ actorId }) => actorId)}::bigint[]
  ) AS p (account_id, actor_id)
  WHERE EXISTS (
    SELECT FROM blocks b WHERE b.account_id = p.account_id AND b.target_account_id = p.actor_id
  ) OR EXISTS (
    SELECT FROM account_domain_blocks d JOIN accounts a ON a.domain = d.domain
    WHERE d.account_id = p.account_id AND a.id = p.actor_id
  )
`;

export type EarlyDelete = { actorUri: string; uri: string };

export const insertEarlyDeletes = (db: Db, rows: EarlyDelete[], now: Date) => db`
  INSERT INTO early_deletes (actor_uri, uri, created_at)
  SELECT actor_uri, uri, ${now}::timestamptz
  FROM unnest(${rows.map((row) => row.actorUri)}::text[], ${rows.map((row) => row.uri)}::text[])
    AS g (actor_uri, uri)
  ON CONFLICT (uri_key(uri), uri_key(actor_uri)) DO NOTHING
`;
