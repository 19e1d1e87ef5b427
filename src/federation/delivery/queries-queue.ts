// SQL of the queue of deliveries: what waits for each host (deliveries), and when each host is due (remote_hosts).
// docs/design/deliveries.md says why there are two tables, and why statements on many of their rows are planned each
// time.

import { deleteOlder, deleteSlice } from "../../platform/db/delete-older.ts";
import type { Db } from "../../platform/db/index.ts";
import { onlyValue } from "../../platform/db/rows.ts";
import { unprepared } from "../../platform/db/unprepared.ts";
import { isOrphaned } from "../../platform/workers/queries.ts";

export type NewOutgoing = {
  accountId: string | null;
  body: string;
  inboxes: { host: string; inbox: string }[];
};

/**
 * Condition that a row of `remote_hosts` is of a host that is gone: it has failed for that long, and a delivery waits
 * that will show when it is back. A host without waiting deliveries is tried with the next activity. The same holds
 * where the staff stopped deliveries.
 */
export const isGone = (db: Db, goneSince: Date) =>
  db`(failing_since < ${goneSince} AND due_at IS NOT NULL OR stopped_at IS NOT NULL)`;

/** Who claims hosts. No other claim of this owner ends at the same `until`. */
export type ClaimFor = { owner: string; until: Date };

/** A host that was claimed with all its deliveries. */
export type ClaimedHost = { host: HostRow; deliveries: (DeliveryRow & { body: string })[] };

/**
 * A claimed host, or a delivery to one, of the activity with this number; -1 where other hosts are due, which no worker
 * works on.
 */
type ClaimedRow = HostRow & { id: string; activity_id: string; inbox: string; n: number };

/**
 * Stores activities with a delivery to each inbox, and makes their hosts due, unless they rest or are worked on, by one
 * statement. `added` is counted up, so that a worker that is just finishing with a host notices; a host that rests, and
 * that nobody works on, is only locked. Hosts are written in order, so that two such statements never deadlock. Nothing
 * is queued for a host that is gone. With `claim`, quick or new hosts for which nothing else waits are claimed instead
 * of made due; returns those with what was stored for them, so that nobody has to read it, and whether others are due.
 */
export const insertDeliveries = async (
  db: Db,
  activities: NewOutgoing[],
  { now, goneSince, claim }: { now: Date; goneSince: Date; claim: ClaimFor | null },
): Promise<{ claimed: ClaimedHost[]; isDue: boolean }> => {
  const [owner, until] = [claim?.owner ?? null, claim?.until ?? now];
  const isFree = db`
    (excluded.owner IS NOT NULL AND h.owner IS NULL AND h.due_at IS NULL AND NOT h.resting AND NOT h.slow)`;
  const rows = activities.flatMap(({ inboxes }, n) =>
    inboxes.map((inbox) => ({ n: n + 1, ...inbox })),
  );
  const hosts = [...new Set(rows.map(({ host }) => host))];
  // A join of `claimed` would compare each host with each delivery; IS TRUE keeps it a lookup.
  const queued = await db<ClaimedRow[]>`
    WITH gone AS MATERIALIZED (
      SELECT host FROM remote_hosts
      WHERE host = ANY(${hosts}::text[]) AND ${isGone(db, goneSince)}
    ), activities AS MATERIALIZED (
      SELECT snowflake() AS id, account_id, body, n
      FROM unnest(
        ${activities.map(({ accountId }) => accountId)}::bigint[], ${activities.map(({ body }) => body)}::text[]
      ) WITH ORDINALITY AS g (account_id, body, n)
    ), stored AS (
      INSERT INTO outgoing_activities (id, account_id, body, created_at)
      SELECT id, account_id, body, ${now}::timestamptz FROM activities
    ), queued AS (
      INSERT INTO deliveries (host, activity_id, inbox)
      SELECT host, id, inbox
      FROM unnest(
        ${rows.map(({ n }) => n)}::int[], ${rows.map(({ host }) => host)}::text[],
        ${rows.map(({ inbox }) => inbox)}::text[]
      ) WITH ORDINALITY AS q (n, host, inbox, place) JOIN activities USING (n)
      WHERE host NOT IN (SELECT host FROM gone)
      ORDER BY place
      RETURNING id, host, activity_id, inbox
    ), touched_hosts AS (
      INSERT INTO remote_hosts AS h (host, due_at, added, owner)
      SELECT host, ${until}::timestamptz, 1, ${owner}::uuid FROM unnest(${hosts}::text[]) AS g (host)
      WHERE host NOT IN (SELECT host FROM gone)
      ORDER BY host
      ON CONFLICT (host) DO UPDATE SET
        added = h.added + 1,
        owner = CASE WHEN ${isFree} THEN excluded.owner ELSE h.owner END,
        due_at = CASE WHEN ${isFree} THEN excluded.due_at
          WHEN h.resting OR h.owner IS NOT NULL THEN coalesce(h.due_at, ${now}::timestamptz)
          ELSE least(h.due_at, ${now}::timestamptz) END
      WHERE NOT (h.resting AND h.owner IS NULL AND h.due_at IS NOT NULL) AND h.stopped_at IS NULL
      RETURNING host, added, failures, latency_ms, slow, owner, due_at
    ), claimed AS MATERIALIZED (
      SELECT host, added, failures, latency_ms, slow FROM touched_hosts
      WHERE owner = ${owner}::uuid AND due_at = ${until}::timestamptz
    )
    SELECT *, 0 AS id, 0 AS activity_id, '' AS inbox, 0 AS n FROM claimed
    UNION ALL
    SELECT host, 0, 0, NULL, false, q.id, activity_id, inbox, n::int
    FROM queued q JOIN activities a ON a.id = activity_id
    WHERE (host IN (SELECT host FROM claimed)) IS TRUE
    UNION ALL
    (SELECT '', 0, 0, NULL, false, 0, 0, '', -1 FROM touched_hosts WHERE due_at <= ${now} LIMIT 1)
    ORDER BY id
  `;
  const isDue = queued.some(({ n }) => n < 0);
  const byHost = Map.groupBy(
    queued.filter(({ n }) => n >= 0),
    ({ host }) => host,
  );
  const claimed = Array.from(byHost.values(), ([host, ...deliveries]) => ({
    host: host!,
    deliveries: deliveries.map(({ id, activity_id, inbox, n }) => {
      const { accountId, body } = activities[n - 1]!;
      return { id, host: host!.host, activity_id, account_id: accountId, inbox, tries: 0, body };
    }),
  }));
  return { claimed, isDue };
};

export type Again = {
  now: Date;
  /** Milliseconds after its last attempt at which a failing host is tried. */
  afterMs: number;
  /** A host that asked for a pause keeps resting if it asked after this time. */
  askedBefore: Date;
};

/** Wakes hosts because something came from them, at once or soon. Returns those that would have rested longer. */
export const wakeHosts = (db: Db, hosts: string[], { now, afterMs, askedBefore }: Again) => {
  const soon = db`greatest(
    ${now}::timestamptz, settled_at + ${afterMs}::float * interval '1 millisecond'
  )`;
  return db<{ host: string }[]>`
    UPDATE remote_hosts SET resting = ${soon} > ${now}, failing_since = NULL, due_at = ${soon}
    WHERE host = ANY(ARRAY(
      SELECT host FROM remote_hosts
      WHERE host = ANY(${hosts}::text[]) AND resting AND owner IS NULL AND due_at > ${soon}
        AND (coalesce(paused_until <= ${now}, true) OR settled_at < ${askedBefore})
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING host
  `;
};

export type HostRow = {
  host: string;
  added: string;
  failures: number;
  latency_ms: number | null;
  slow: boolean;
};

/** `quick` and `slow` are the most hosts of each kind. */
export type Claim = { owner: string; now: Date; until: Date; quick: number; slow: number };

/** Claims hosts that are due and that nobody else is claiming or adding to, the longest due first. */
export const claimHosts = (db: Db, { owner, now, until, quick, slow }: Claim) => {
  const due = (isSlow: boolean, limit: number) => db`ARRAY(
    SELECT host FROM remote_hosts WHERE slow = ${isSlow} AND due_at <= ${now}
    ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
  )`;
  return unprepared(db<HostRow[]>`
    UPDATE remote_hosts SET owner = ${owner}, due_at = ${until}
    WHERE host = ANY(${due(false, quick)} || ${due(true, slow)})
    RETURNING host, added, failures, latency_ms, slow
  `);
};

/** Ends claims of hosts that were not worked on; the claim of a host that somebody is adding to ends by itself. */
export const returnHosts = (db: Db, owner: string, hosts: string[], now: Date) =>
  unprepared(db`
  UPDATE remote_hosts SET owner = NULL, due_at = ${now}
  WHERE host = ANY(ARRAY(
    SELECT host FROM remote_hosts WHERE host = ANY(${hosts}::text[]) AND owner = ${owner}
    FOR UPDATE SKIP LOCKED
  ))
`);

/** Renews claims; another process may have taken over those that were not renewed in time. */
export const renewClaims = (db: Db, owner: string, hosts: string[], until: Date) =>
  unprepared(db`
  UPDATE remote_hosts SET due_at = ${until}
  WHERE host = ANY(ARRAY(
    SELECT host FROM remote_hosts WHERE host = ANY(${hosts}::text[]) AND owner = ${owner}
    FOR UPDATE SKIP LOCKED
  ))
`);

/** Ends the claims of dead processes, which end by themselves as well. */
export const releaseHosts = (db: Db, now: Date) => db`
  UPDATE remote_hosts SET owner = NULL, due_at = ${now}
  WHERE owner IS NOT NULL AND ${isOrphaned(db)}
`;

/** Selects when the next host is due after `now`, at its own time or because a claim ends; null if none is. */
export const selectNextDue = (db: Db, now: Date): Promise<Date | null> =>
  onlyValue(db<{ due_at: Date | null }[]>`
    SELECT least(
      (SELECT due_at FROM remote_hosts WHERE NOT slow AND due_at > ${now} ORDER BY due_at LIMIT 1),
      (SELECT due_at FROM remote_hosts WHERE slow AND due_at > ${now} ORDER BY due_at LIMIT 1)
    ) AS due_at
  `);

export type DeliveryRow = {
  id: string;
  host: string;
  activity_id: string;
  account_id: string | null;
  inbox: string;
  tries: number;
};

/** Deliveries to read of a host. */
export type Share = { host: string; limit: number };

/** Selects each host's next due deliveries in order, with ids greater than `after`. */
export const selectDeliveries = (db: Db, shares: Share[], now: Date, after: string) =>
  unprepared(db<DeliveryRow[]>`
  SELECT d.id, d.host, d.activity_id, o.account_id, d.inbox, d.tries
  FROM unnest(${shares.map(({ host }) => host)}::text[], ${shares.map(({ limit }) => limit)}::int[])
    AS h (host, share)
  CROSS JOIN LATERAL (
    SELECT * FROM deliveries
    WHERE host = h.host AND retry_at <= ${now} AND id > ${after}
    ORDER BY retry_at, id LIMIT h.share
  ) AS d
  LEFT JOIN outgoing_activities o ON o.id = d.activity_id
  ORDER BY d.host, d.retry_at, d.id
`);

/** A delivery that failed: it keeps its place, or comes after the others from `retryAt` on. */
export type PutBack = { id: string; tries: number; retryAt: Date | null };

/** Deletes finished deliveries and stores failed ones. */
export const finishDeliveries = (db: Db, done: string[], back: PutBack[]) =>
  unprepared(db`
  WITH done AS (
    DELETE FROM deliveries WHERE id = ANY(${done}::bigint[])
  )
  UPDATE deliveries d SET tries = g.tries, retry_at = coalesce(g."retryAt", d.retry_at)
  FROM jsonb_to_recordset(${db.json(back as never)})
    AS g (id bigint, tries int, "retryAt" timestamptz)
  WHERE d.id = g.id
`);

export type Settled = {
  host: string;
  /** `added` as it was when the host was claimed. */
  added: string;
  failures: number;
  latencyMs: number | null;
  slow: boolean;
  /** Set when the host fails or asked for a pause; null when its deliveries are due. */
  retryAt: Date | null;
  /** Set when the host asked for a pause. */
  pausedUntil: Date | null;
};

/**
 * Ends claims: each host is due when its next delivery is. That is now where something was queued since the claim: a
 * waiting statement does not see the rows of the one it waited for, but it sees the new `added`.
 * Also deletes the deliveries `done`, and returns which hosts were gone and are back.
 */
export const settleHosts = (
  db: Db,
  owner: string,
  hosts: Settled[],
  { now, after, goneSince, done }: { now: Date; after: string; goneSince: Date; done: string[] },
) =>
  unprepared(db<{ due_at: Date | null; is_back: boolean | null }[]>`
  WITH done AS (
    DELETE FROM deliveries WHERE id = ANY(${done}::bigint[])
  ), locked AS MATERIALIZED (
    SELECT host, ${isGone(db, goneSince)} AS was_gone FROM remote_hosts
    WHERE host = ANY(${hosts.map(({ host }) => host)}::text[]) AND owner = ${owner}
    ORDER BY host FOR UPDATE
  )
  UPDATE remote_hosts h SET
    owner = NULL, failures = g.failures, latency_ms = g."latencyMs", slow = g.slow,
    resting = g."retryAt" IS NOT NULL, paused_until = g."pausedUntil", settled_at = ${now}::timestamptz,
    failing_since = CASE WHEN g.failures > 0 THEN coalesce(h.failing_since, ${now}::timestamptz) END,
    due_at = CASE
      WHEN g."retryAt" IS NOT NULL THEN g."retryAt"
      WHEN h.added <> g.added THEN ${now}::timestamptz
      ELSE (
        SELECT greatest(d.retry_at, ${now}::timestamptz) FROM deliveries d
        WHERE d.host = h.host AND d.id > ${after} AND d.id <> ALL(${done}::bigint[])
        ORDER BY d.retry_at, d.id LIMIT 1
      )
    END
  FROM jsonb_to_recordset(${db.json(hosts as never)}) AS g (
    host text, added bigint, failures int, "latencyMs" int, slow boolean, "retryAt" timestamptz,
    "pausedUntil" timestamptz
  ) JOIN locked USING (host)
  WHERE h.host = g.host AND h.owner = ${owner}
  RETURNING h.due_at, locked.was_gone AND ${isGone(db, goneSince)} IS NOT TRUE AS is_back
`);

export const deleteDeliveriesBefore = (db: Db, before: string) =>
  deleteOlder(db, "deliveries", "id", before);

/** Deletes hosts that nothing waits for and that were sent nothing since `before`. */
export const deleteIdleHosts = async (db: Db, before: Date): Promise<boolean> => {
  const condition = db`
    due_at IS NULL AND settled_at < ${before} AND stopped_at IS NULL ORDER BY settled_at`;
  return (await deleteSlice(db, "remote_hosts", condition)).isMore;
};
