// SQL of the list of servers: what is counted of each, and pages of it.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../../platform/db/rows.ts";

/** Accounts of one server that are counted, and followed up for other counts. */
export const COUNTED_CAP = 100_000;
/** Newest accounts of a server that are read for the hosts of its inboxes and files. */
const LOOKED_AT = 200;
const MAX_MEDIA_HOSTS = 10;

/**
 * Selects the next domains after `after` that accounts are known of, in order, with one step through the index for
 * each.
 */
export const selectDomainsAfter = (db: Db, after: string, limit: number): Promise<string[]> =>
  valuesOf(db<{ domain: string }[]>`
    WITH RECURSIVE known AS (
      (SELECT domain, 1 AS n FROM accounts WHERE domain > ${after}::citext ORDER BY domain LIMIT 1)
      UNION ALL
      SELECT (
        SELECT a.domain FROM accounts a WHERE a.domain > known.domain ORDER BY a.domain LIMIT 1
      ), n + 1 FROM known WHERE known.domain IS NOT NULL AND n < ${limit}
    )
    SELECT lower(domain::text) AS domain FROM known WHERE domain IS NOT NULL ORDER BY n
  `);

/** Selects those of the domains that were not counted since then. */
export const selectUncounted = (db: Db, domains: string[], since: Date): Promise<string[]> =>
  valuesOf(db<{ domain: string }[]>`
    SELECT d.domain FROM unnest(${domains}::text[]) AS d (domain)
    WHERE NOT EXISTS (
      SELECT FROM servers s WHERE s.domain = d.domain AND s.counted_at > ${since}
    )
  `);

export type CountedServer = {
  domain: string;
  /** Null where no account says. */
  host: string | null;
  media_hosts: string[];
  accounts: number;
  followed: number;
  followers: number;
};

/** Counts by the indexes accounts_of_domain, follows_fan_out and follows_account. */
export const countServers = (db: Db, domains: string[]) => db<CountedServer[]>`
  SELECT d.domain, newest.host, newest.media_hosts, counts.*
  FROM unnest(${domains}::text[]) AS d (domain)
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS accounts, coalesce(sum(followed), 0)::int AS followed,
      coalesce(sum(followers), 0)::int AS followers
    FROM (
      SELECT
        (SELECT count(*) FROM follows f WHERE f.target_account_id = a.id AND f.local) AS followed,
        (SELECT count(*) FROM follows f WHERE f.account_id = a.id) AS followers
      FROM (
        SELECT id FROM accounts WHERE domain = d.domain::citext LIMIT ${COUNTED_CAP}
      ) AS a
    ) AS each
  ) AS counts
  CROSS JOIN LATERAL (
    SELECT
      mode() WITHIN GROUP (ORDER BY nullif(split_part(inbox, '/', 3), '')) AS host,
      coalesce(
        (array_agg(DISTINCT lower(split_part(avatar_url, '/', 3)))
          FILTER (WHERE split_part(avatar_url, '/', 3) <> ''))[1:${MAX_MEDIA_HOSTS}::int], '{}'
      ) AS media_hosts
    FROM (
      SELECT coalesce(nullif(shared_inbox_url, ''), inbox_url) AS inbox, avatar_url
      FROM accounts WHERE domain = d.domain::citext ORDER BY id DESC LIMIT ${LOOKED_AT}
    ) AS looked
  ) AS newest
`;

type HostBytes = { host: string; bytes: string };

export const sumRemoteFiles = (db: Db, hosts: string[]) => db<HostBytes[]>`
  SELECT host, sum(bytes)::text AS bytes FROM remote_files
  WHERE host = ANY(${hosts}::text[]) GROUP BY host
`;

export type NewServer = Omit<CountedServer, "host"> & { host: string; media_bytes: string };

export const upsertServers = (db: Db, rows: NewServer[], now: Date) => db`
  INSERT INTO servers
    (domain, host, media_hosts, accounts, followed, followers, media_bytes, counted_at)
  SELECT domain, host, ARRAY(SELECT jsonb_array_elements_text(media_hosts)), accounts, followed,
    followers, media_bytes, ${now}
  FROM jsonb_to_recordset(${db.json(rows as never)}) AS r (
    domain text, host text, media_hosts jsonb, accounts int, followed int, followers int,
    media_bytes bigint
  )
  ON CONFLICT (domain) DO UPDATE SET
    host = excluded.host, media_hosts = excluded.media_hosts, accounts = excluded.accounts,
    followed = excluded.followed, followers = excluded.followers,
    media_bytes = excluded.media_bytes, counted_at = excluded.counted_at
`;

/** Deletes servers of which no account is known any more. */
export const deleteForgottenServers = (db: Db) => db`
  DELETE FROM servers s WHERE NOT EXISTS (
    SELECT FROM accounts a WHERE a.domain = s.domain::citext
  )
`;

export type ServerRow = {
  domain: string;
  host: string;
  media_hosts: string[];
  accounts: number;
  followed: number;
  followers: number;
  media_bytes: string;
  counted_at: Date;
  /** Null where the server does not say, or was not asked. */
  software: string | null;
  version: string | null;
  failing_since: Date | null;
  stopped_at: Date | null;
  /** Null where nothing was sent to the server lately. */
  settled_at: Date | null;
};

const COLUMNS = (db: Db) => db`
  s.domain, s.host, s.media_hosts, s.accounts, s.followed, s.followers,
  s.media_bytes::text AS media_bytes, s.counted_at, p.software, p.version, h.failing_since,
  h.stopped_at, h.settled_at
`;

const JOINED = (db: Db) => db`
  servers s LEFT JOIN peers p ON p.host = s.host LEFT JOIN remote_hosts h ON h.host = s.host
`;

export const SERVER_ORDERS = ["accounts", "followed", "followers", "media_bytes", "name"] as const;
export type ServerOrder = (typeof SERVER_ORDERS)[number];

export const SERVER_STATES = ["working", "failing", "gone", "stopped"] as const;
export type ServerState = (typeof SERVER_STATES)[number];

export type ServerFilter = {
  order: ServerOrder;
  /** Selects by a part of the domain. */
  name: string | null;
  software: string | null;
  state: ServerState | null;
  /** Hosts that have been failing since before this time count as gone. */
  goneSince: Date;
  /** Continues after these values of the previous page's last row. */
  after: { value: string; domain: string } | null;
};

/** Where few hosts are in the state, they are selected first, and then their servers. */
const inState = (db: Db, state: ServerState, goneSince: Date): Fragment => {
  if (state === "working") {
    return db`h.host IS NOT NULL AND h.failing_since IS NULL AND h.stopped_at IS NULL`;
  }
  const condition = {
    failing: db`stopped_at IS NULL AND failing_since >= ${goneSince}`,
    gone: db`stopped_at IS NULL AND failing_since < ${goneSince}`,
    stopped: db`stopped_at IS NOT NULL`,
  }[state];
  return db`s.host = ANY(ARRAY(
    SELECT host FROM remote_hosts
    WHERE (failing_since IS NOT NULL OR stopped_at IS NOT NULL) AND ${condition}
  ))`;
};

const withSoftware = (db: Db, software: string): Fragment =>
  db`s.host = ANY(ARRAY(SELECT host FROM peers WHERE software = ${software}))`;

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

const afterRow = (db: Db, { order, after }: ServerFilter): Fragment => {
  if (!after) return db``;
  if (order === "name") return db`AND s.domain > ${after.domain}`;
  const column = db`s.${db(order)}`;
  // The first condition is the beginning of the index of this order.
  return db`AND ${column} <= ${after.value}::bigint
    AND (${column} < ${after.value}::bigint OR s.domain > ${after.domain})`;
};

/** Selects a page of the list by the index of its order, or by the hosts that it is limited to. */
export const selectServers = (db: Db, filter: ServerFilter, limit: number) => {
  const { order, name, software, state, goneSince } = filter;
  return db<ServerRow[]>`
    SELECT ${COLUMNS(db)} FROM ${JOINED(db)}
    WHERE true
      ${name === null ? db`` : db`AND s.domain LIKE ${`%${escaped(name)}%`}`}
      ${software === null ? db`` : db`AND ${withSoftware(db, software)}`}
      ${state === null ? db`` : db`AND ${inState(db, state, goneSince)}`}
      ${afterRow(db, filter)}
    ORDER BY ${order === "name" ? db`` : db`s.${db(order)} DESC,`} s.domain
    LIMIT ${limit}
  `;
};

export const selectServer = (db: Db, domain: string): Promise<ServerRow | null> =>
  firstRow(db<ServerRow[]>`
    SELECT ${COLUMNS(db)} FROM ${JOINED(db)} WHERE s.domain = ${domain}
  `);

export type SoftwarePart = { software: string | null; servers: number; accounts: number };

/** Selects the software that servers run, the one with most known accounts first. */
export const selectSoftware = (db: Db, limit: number) => db<SoftwarePart[]>`
  SELECT p.software, count(*)::int AS servers, sum(s.accounts)::int AS accounts
  FROM servers s LEFT JOIN peers p ON p.host = s.host
  GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${limit}
`;

export type SizePart = { size: number; servers: number };

/** Counts servers by size: with 1 known account, up to 10, up to 100 … */
export const selectSizes = (db: Db) => db<SizePart[]>`
  SELECT ceil(log(greatest(accounts, 1)))::int AS size, count(*)::int AS servers
  FROM servers GROUP BY 1 ORDER BY 1
`;

export type ServerTotals = { servers: number; failing: number; gone: number; stopped: number };

/** Counts by remote_hosts_troubled, except for the number of all. */
export const selectServerTotals = (db: Db, goneSince: Date): Promise<ServerTotals> =>
  onlyRow(db<ServerTotals[]>`
    SELECT (SELECT count(*)::int FROM servers) AS servers,
      (count(*) FILTER (WHERE stopped_at IS NULL AND failing_since >= ${goneSince}))::int AS failing,
      (count(*) FILTER (WHERE stopped_at IS NULL AND failing_since < ${goneSince}))::int AS gone,
      (count(*) FILTER (WHERE stopped_at IS NOT NULL))::int AS stopped
    FROM remote_hosts WHERE failing_since IS NOT NULL OR stopped_at IS NOT NULL
  `);
