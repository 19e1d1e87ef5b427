// SQL that finds stored actors, statuses and keys by address.

import type { Db } from "../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyValue, valuesOf } from "../platform/db/rows.ts";
import { hasAddress, hasUri } from "../domain/posts/statuses/fragments.ts";
import type { ActorName } from "./actor-paths.ts";

export type KnownActorRow = {
  id: string;
  uri: string;
  username: string;
  domain: string | null;
  fetched_at: Date | null;
};

export const selectActorByUri = (db: Db, uri: string): Promise<KnownActorRow | null> =>
  firstRow(db<KnownActorRow[]>`
    SELECT id, uri, username, domain, fetched_at FROM accounts WHERE uri = ${uri}
  `);

/** Members of actors, and the condition that a stored account has a value of each. */
const STORED_MEMBERS = {
  name: "display_name <> ''",
  summary: "note_html <> ''",
  icon: "avatar_url IS NOT NULL",
  image: "header_url IS NOT NULL",
  attachment: "fields <> '[]'",
  tag: "emojis <> '[]'",
  alsoKnownAs: "also_known_as <> '{}'",
  attributionDomains: "attribution_domains <> '{}'",
  publicKey: "public_key <> ''",
  manuallyApprovesFollowers: "locked",
  outbox: "outbox_url IS NOT NULL",
  followers: "followers_url IS NOT NULL",
  following: "following_url IS NOT NULL",
  featured: "featured_url IS NOT NULL",
  featuredTags: "featured_tags_url IS NOT NULL",
  featuredCollections: "featured_collections_url IS NOT NULL",
  interactionPolicy: "feature_policy IS NOT NULL",
  endpoints: "shared_inbox_url IS NOT NULL",
};

/** Selects the members that a stored account has a value of. */
export const selectStoredMembers = async (db: Db, id: string): Promise<string[]> => {
  const each = Object.entries(STORED_MEMBERS);
  const list = each.map(([name, condition]) => `CASE WHEN ${condition} THEN '${name}' END`);
  const [row] = await db<{ members: string[] }[]>`
    SELECT array_remove(ARRAY[${db.unsafe(list.join(", "))}], NULL) AS members
    FROM accounts WHERE id = ${id}
  `;
  return row?.members ?? [];
};

export const selectActorById = (db: Db, id: string): Promise<KnownActorRow | null> =>
  firstRow(db<KnownActorRow[]>`
    SELECT id, uri, username, domain, fetched_at FROM accounts WHERE id = ${id}
  `);

export type Witness = { uri: string; key_id: string | null; public_key: string };

type WitnessQuery = { from: KnownActorRow; toId: string; before: string; limit: number };

/**
 * Selects other actors of the server of `from` with ids below `before`, the last read first. On very large servers some
 * of them are enough: the inner query is bounded by the index of domains.
 */
export const selectWitnesses = (db: Db, { from, toId, before, limit }: WitnessQuery) => db<
  Witness[]
>`
  SELECT uri, key_id, public_key FROM (
    SELECT uri, key_id, public_key, fetched_at FROM accounts
    WHERE domain = ${from.domain} AND id NOT IN (${from.id}, ${toId}) AND id < ${before}
      AND public_key <> '' AND suspended_at IS NULL AND moved_to_account_id IS NULL
    LIMIT 1000
  ) AS known
  ORDER BY fetched_at DESC NULLS LAST LIMIT ${limit}
`;

type FollowedQuery = { after: string; before: Date; limit: number };

/**
 * Selects accounts after `after` whom people here follow, and whether they are remote and were not read since `before`.
 * Each is found in the index from the one before it, however many follow that.
 */
export const selectFollowedPage = (db: Db, { after, before, limit }: FollowedQuery) => db<
  { id: string; uri: string; is_quiet: boolean }[]
>`
  WITH RECURSIVE followed AS (
    SELECT (
      SELECT min(target_account_id) FROM follows WHERE local AND target_account_id > ${after}
    ) AS id, 1 AS n
    UNION ALL
    SELECT (
      SELECT min(f.target_account_id) FROM follows f WHERE f.local AND f.target_account_id > p.id
    ), p.n + 1
    FROM followed p WHERE p.id IS NOT NULL AND p.n < ${limit}
  )
  SELECT a.id, a.uri,
    a.domain IS NOT NULL AND a.suspended_at IS NULL AND a.moved_to_account_id IS NULL
      AND coalesce(a.fetched_at, '-infinity') < ${before} AS is_quiet
  FROM followed p JOIN accounts a ON a.id = p.id ORDER BY a.id
`;

type OthersQuery = { domain: string | null; id: string; limit: number };

/** Selects other actors of a server whom people here follow or asked to follow. */
export const selectOthersToRefresh = (db: Db, { domain, id, limit }: OthersQuery) =>
  valuesOf(db<{ uri: string }[]>`
    SELECT a.uri FROM accounts a
    WHERE a.domain = ${domain} AND a.id <> ${id} AND a.moved_to_account_id IS NULL
      AND (EXISTS (SELECT FROM follows f WHERE f.target_account_id = a.id AND f.local)
        OR EXISTS (SELECT FROM follow_requests r WHERE r.target_account_id = a.id))
    LIMIT ${limit}
  `);

/** Selects an account by the address of the actor or of its page. */
export const selectActorByAddress = (db: Db, url: string): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${url} OR url = ${url} ORDER BY uri = ${url} DESC LIMIT 1
  `);

/** Selects a status by its address or that of its page; reblogs have none. */
export const selectStatusByAddress = (db: Db, url: string): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    WHERE ${hasAddress(db, url)} AND s.reblog_of_id IS NULL
    ORDER BY s.uri = ${url} DESC LIMIT 1
  `);

export const selectStatusId = (db: Db, uri: string): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`SELECT s.id FROM statuses s WHERE ${hasUri(db, uri)}`);

export const selectStatusUri = (db: Db, id: string): Promise<string | null> =>
  firstValue(db<{ uri: string }[]>`SELECT uri FROM statuses WHERE id = ${id}`);

/** `gone`: the account was deleted, and only its name is still stored. */
type LocalActorRow = { id: string; uri: string; gone: boolean };

/** Selects a local actor; names are case-insensitive. People who are not confirmed or approved yet are no actors. */
export const selectLocalActor = async (db: Db, { username, actorId }: ActorName) => {
  const isNamed = actorId ? db`a.id = ${actorId}` : db`a.username = ${username ?? null}`;
  return firstRow(db<LocalActorRow[]>`
    SELECT a.id, a.uri, a.suspended_at IS NOT NULL AND u.id IS NULL AS gone
    FROM accounts a LEFT JOIN users u ON u.account_id = a.id
    WHERE ${isNamed} AND a.domain IS NULL
      AND (u.id IS NULL OR (u.confirmed_at IS NOT NULL AND u.approved))
  `);
};

/** Selects a local status by its id and the author that its path names. */
export const selectLocalStatus = async (db: Db, { username, actorId }: ActorName, id: string) => {
  const isNamed = actorId ? db`a.id = ${actorId}` : db`a.username = ${username ?? null}`;
  return firstValue(db<{ id: string }[]>`
    SELECT s.id FROM statuses s
    JOIN accounts a ON a.id = s.account_id AND a.domain IS NULL AND ${isNamed}
    WHERE s.id = ${id} AND s.local
  `);
};

/** Whether the account wrote it. */
export const isStatusOf = (db: Db, id: string, accountId: string): Promise<boolean> =>
  hasRows(db`
    SELECT FROM statuses WHERE id = ${id} AND account_id = ${accountId} AND reblog_of_id IS NULL
  `);

export type ActorToFill = {
  id: string;
  uri: string;
  outbox_url: string | null;
  followers_url: string | null;
  following_url: string | null;
  featured_url: string | null;
  fetched_at: Date | null;
  /** True when this is the first time. */
  is_first: boolean;
};

/** Selects a remote account that was never read; null for any other. */
export const selectUnread = (db: Db, id: string): Promise<ActorToFill | null> =>
  firstRow(db<ActorToFill[]>`
    SELECT id, uri, outbox_url, followers_url, following_url, featured_url, fetched_at,
      true AS is_first
    FROM accounts
    WHERE id = ${id} AND filled_at IS NULL AND domain IS NOT NULL AND suspended_at IS NULL
  `);

/** Marks a remote account as read now; null where that was done since `before`. */
export const claimFill = (db: Db, id: string, now: Date, before: Date) =>
  firstRow(db<ActorToFill[]>`
    UPDATE accounts a SET filled_at = ${now} FROM accounts old
    WHERE a.id = ${id} AND old.id = a.id AND a.domain IS NOT NULL AND a.suspended_at IS NULL
      AND (old.filled_at IS NULL OR old.filled_at <= ${before})
    RETURNING a.id, a.uri, a.outbox_url, a.followers_url, a.following_url, a.featured_url,
      a.fetched_at, old.filled_at IS NULL AS is_first
  `);

export const selectPins = (db: Db, accountId: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT status_id AS id FROM status_pins WHERE account_id = ${accountId}
  `);

export const selectRemotePost = (db: Db, id: string) =>
  firstRow(db<{ uri: string; author_uri: string }[]>`
    SELECT s.uri, a.uri AS author_uri FROM statuses s JOIN accounts a ON a.id = s.account_id
    WHERE s.id = ${id} AND NOT s.local AND s.reblog_of_id IS NULL
  `);

type DigestRow = { origin: string; digest: string };

/** Selects the digests of an account's remote followers, as bits, by the origin of their addresses. */
export const selectFollowerDigests = (db: Db, accountId: string) => db<DigestRow[]>`
  SELECT origin, digest::text AS digest FROM follower_digests WHERE account_id = ${accountId}
`;

/** Selects the followers of a local account whose addresses have one of these origins. */
export const selectFollowersOf = (db: Db, accountId: string, origins: string[]) =>
  valuesOf(db<{ uri: string }[]>`
    SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
    WHERE f.target_account_id = ${accountId} AND NOT f.local AND a.suspended_at IS NULL
      AND uri_origin(a.uri) = ANY(${origins})
  `);

/** Selects the digest of the people here who follow a remote account, as bits; null if nobody does. */
export const selectLocalDigest = (db: Db, accountId: string): Promise<string | null> =>
  onlyValue(db<{ digest: string | null }[]>`
    SELECT bit_xor(uri_digest(a.uri))::text AS digest
    FROM follows f JOIN accounts a ON a.id = f.account_id
    WHERE f.target_account_id = ${accountId} AND f.local
  `);

export const selectActorForSync = (db: Db, id: string) =>
  firstRow(db<{ uri: string; followers_url: string | null }[]>`
    SELECT uri, followers_url FROM accounts WHERE id = ${id} AND domain IS NOT NULL
  `);

export type LocalFollower = {
  id: string;
  uri: string;
  state: "follows" | "requested" | "none";
  /** True for a follow that was requested again under a new name of this server, and is not answered yet. */
  is_former: boolean;
};

/**
 * Selects the people here who follow a remote account or asked to, and those with these addresses. LIMIT 1 lets each be
 * found by its own index: where the statistics knew few local accounts, the plan read all of them and compared each
 * with each, which took minutes for 50,000.
 */
export const selectLocalFollowers = (db: Db, accountId: string, uris: string[]) => db<
  LocalFollower[]
>`
  SELECT a.id, a.uri, CASE
    WHEN bool_or(g.state = 'follows') THEN 'follows'
    WHEN bool_or(g.state = 'requested') THEN 'requested' ELSE 'none' END AS state,
    EXISTS (
      SELECT FROM former_follows m WHERE m.account_id = a.id AND m.target_account_id = ${accountId}
    ) AS is_former
  FROM (
    SELECT account_id AS id, 'follows' AS state FROM follows
    WHERE target_account_id = ${accountId} AND local
    UNION ALL
    SELECT account_id, 'requested' FROM follow_requests WHERE target_account_id = ${accountId}
    UNION ALL
    SELECT own.id, 'none' FROM unnest(${uris}::text[]) AS listed (uri)
    CROSS JOIN LATERAL (SELECT id FROM accounts WHERE uri = listed.uri LIMIT 1) AS own
  ) AS g
  CROSS JOIN LATERAL (SELECT id, uri, domain FROM accounts WHERE id = g.id LIMIT 1) AS a
  WHERE a.domain IS NULL
  GROUP BY a.id, a.uri
`;

/** Selects the account that another one moved to, if it is stored and names the old one. */
export const selectMoveTarget = (db: Db, movedTo: string, from: string) =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${movedTo} AND ${from} = ANY(also_known_as)
  `);

export type KeyRow = {
  id: string;
  uri: string;
  public_key: string;
  suspended: boolean;
  suspended_remotely: boolean;
  fetched_at: Date | null;
};

export type AskedKey = {
  keyId: string;
  /** The actor of the request: if several claim the key, it is this one's. */
  signer: string;
  /** The actor of a key with the default id, or with an id that begins with the actor's address. */
  actorUri: string;
};

/**
 * Selects the owners of keys, each with the index of what was asked (from 0). Actors of one host may claim the same key
 * id: it is the signer's, else that of the actor whose address it begins with.
 */
export const selectKeys = (db: Db, keys: AskedKey[]) => db<(KeyRow & { n: number })[]>`
  SELECT k.n::int - 1 AS n, a.id, a.uri, a.public_key, a.suspended, a.suspended_remotely,
         a.fetched_at
  FROM unnest(
    ${keys.map((key) => key.keyId)}::text[], ${keys.map((key) => key.actorUri)}::text[],
    ${keys.map((key) => key.signer)}::text[]
  ) WITH ORDINALITY AS k (key_id, uri, signer, n)
  CROSS JOIN LATERAL (
    SELECT id, uri, public_key, suspended_at IS NOT NULL AS suspended, suspended_remotely,
           fetched_at
    FROM (
      SELECT id, uri, public_key, suspended_at, suspended_remotely, fetched_at
      FROM accounts
      WHERE domain IS NOT NULL AND public_key <> ''
        AND (key_id = k.key_id OR (uri = k.uri AND (key_id IS NULL OR uri = k.key_id)))
      UNION ALL
      SELECT o.id, o.uri, m.public_key, o.suspended_at, o.suspended_remotely, o.fetched_at
      FROM assertion_keys m JOIN accounts o ON o.id = m.account_id
      WHERE m.key_id = k.key_id AND o.domain IS NOT NULL
    ) AS c
    ORDER BY uri = k.signer DESC, uri = k.uri DESC, id
    LIMIT 1
  ) AS a
`;
