// The bulk SQL that fills the world: generate_series, and hashes of numbers instead of random numbers, so
// that the same plan always gives the same rows.

import type { Db, Sql } from "../src/platform/db/index.ts";

export type Fill = {
  host: string;
  origin: string;
  receiverPort: number;
  viewers: number;
  active: number;
  people: number;
  locals: number;
  readers: number;
  authors: number;
  firstAuthor: number;
  hub: number;
  courier: number;
  remote: number;
  signers: number;
  hosts: number;
  threads: number;
  threadLength: number;
  tags: number;
  statuses: number;
  followsOfViewer: number;
  accountsFrom: number;
  statusesFrom: number;
  threadsFrom: number;
  statusStep: number;
  publicKeys: string[];
  privateKeys: string[];
};

/** SQL functions for pseudo-random numbers and names, which the planner inlines. */
const FUNCTIONS = `
  CREATE SCHEMA IF NOT EXISTS bench;
  -- a pseudo-random number from 0 to 1 for the purpose what of row n
  CREATE OR REPLACE FUNCTION bench.dice(n bigint, what bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
    $$ SELECT (hashint8extended(n, what) & 4294967295)::float8 / 4294967296 $$;
  -- a number from 1 to count, small ones more often: a long tail
  CREATE OR REPLACE FUNCTION bench.tail(count bigint, dice float8) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT 1 + floor(count * dice * dice)::bigint $$;
  CREATE OR REPLACE FUNCTION bench.id_at(ms bigint, low bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE AS $$ SELECT (ms << 16) | low $$;
  CREATE OR REPLACE FUNCTION bench.time_at(ms bigint) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE AS $$ SELECT timestamptz 'epoch' + ms * interval '1 millisecond' $$;
  -- ASCII words that texts are cut from
  CREATE OR REPLACE FUNCTION bench.words() RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT repeat('the rook builds high in the elms where wind goes round and talks all day with
 others of the colony about weather fields and who may sit on which branch while young ones learn
 to fly and fall and fly again until evening comes and everybody is counted twice or so ', 8)
  $$;
`;

/** Settings of this connection: no triggers (the generated rows satisfy the foreign keys), no fsync. */
export const prepare = async (db: Db): Promise<void> => {
  await db`SET session_replication_role = replica`;
  await db`SET synchronous_commit = off`;
  await db`SET work_mem = '64MB'`;
  await db`SET maintenance_work_mem = '256MB'`;
  await (db as Sql).unsafe(FUNCTIONS);
};

const insertLocals = (db: Db, w: Fill) => db`
  INSERT INTO accounts (id, username, uri, url, display_name, note, note_html, inbox_url,
    shared_inbox_url, outbox_url, followers_url, following_url, featured_url, discoverable,
    avatar_url, public_key, created_at, updated_at)
  SELECT bench.id_at(ms, 0), 'u' || n, me.uri, ${w.origin} || '/@u' || n, 'Person ' || n,
    substr(bench.words(), 1 + n % 200, 120), '<p>' || substr(bench.words(), 1 + n % 200, 120) || '</p>',
    me.uri || '/inbox', ${w.origin} || '/inbox', me.uri || '/outbox', me.uri || '/followers',
    me.uri || '/following', me.uri || '/collections/featured', true,
    ${w.origin} || '/avatars/' || n || '.png',
    (${w.publicKeys}::text[])[1 + n % 3],
    bench.time_at(ms), bench.time_at(ms)
  FROM generate_series(1, ${w.locals}::int) AS n,
    LATERAL (SELECT ${w.origin} || '/users/u' || n AS uri, ${w.accountsFrom}::bigint + n::bigint * 60000 AS ms) me
`;

const insertKeys = (db: Db, w: Fill) => db`
  INSERT INTO account_keys (account_id, private_key)
  SELECT id, (${w.privateKeys}::text[])[1 + substr(username, 2)::int % 3]
  FROM accounts WHERE domain IS NULL AND uri LIKE ${`${w.origin}/users/u%`}
`;

const insertUsers = (db: Db, w: Fill) => db`
  INSERT INTO users (id, account_id, email, password_hash, confirmed_at, created_at)
  SELECT id, id, username || '@bench.example', 'none', created_at, created_at
  FROM accounts WHERE domain IS NULL AND uri LIKE ${`${w.origin}/users/u%`}
`;

const insertTokens = async (db: Db): Promise<void> => {
  await db`
    INSERT INTO oauth_apps (id, name, redirect_uris, scopes, client_id, client_secret_hash)
    VALUES (1, 'Bench', '{urn:ietf:wg:oauth:2.0:oob}', '{read,write,follow,push}', 'bench', '')
  `;
  await db`
    INSERT INTO oauth_tokens (id, token_hash, app_id, user_id, scopes)
    SELECT id, sha256(('bench-token-' || substr(username, 2))::bytea), 1, id,
      '{read,write,follow,push}'
    FROM accounts WHERE domain IS NULL AND username LIKE 'u%'
  `;
};

/** Inserts the sessions of the browsers that ask for pages. */
const insertSessions = (db: Db, w: Fill) => db`
  INSERT INTO sessions (token_hash, user_id)
  SELECT sha256(('bench-session-' || substr(username, 2))::bytea), id
  FROM accounts WHERE domain IS NULL AND username LIKE 'u%' AND substr(username, 2)::int <= ${w.viewers}
`;

/** Inserts remote accounts; the first ones are on the receivers' loopback hosts, each with an inbox of its own. */
const insertRemotes = (db: Db, w: Fill) => db`
  INSERT INTO accounts (id, username, domain, uri, url, display_name, note_html, inbox_url,
    shared_inbox_url, outbox_url, followers_url, following_url, featured_url, discoverable,
    avatar_url, key_id, public_key, fetched_at, created_at, updated_at)
  SELECT bench.id_at(ms, 1), 'r' || n, host, me.uri, base || '/@r' || n, 'Stranger ' || n,
    '<p>' || substr(bench.words(), 1 + n % 200, 120) || '</p>', me.uri || '/inbox',
    CASE WHEN n > ${w.signers} THEN base || '/inbox' END, me.uri || '/outbox',
    me.uri || '/followers', me.uri || '/following', me.uri || '/collections/featured', true,
    base || '/avatars/' || n || '.png', NULL, (${w.publicKeys}::text[])[1 + n % 3], now(),
    bench.time_at(ms), bench.time_at(ms)
  FROM generate_series(1, ${w.remote}::int) AS n,
    LATERAL (SELECT
      ${w.accountsFrom}::bigint + n::bigint * 60000 AS ms,
      CASE WHEN n <= ${w.signers} THEN
        '127.1.' || ((n - 1) % ${w.hosts}::int) / 200 || '.' || 1 + ((n - 1) % ${w.hosts}::int) % 200
          || ':' || ${w.receiverPort}::int
      ELSE 'h' || n % 1800 || '.example' END AS host) at,
    LATERAL (SELECT CASE WHEN n <= ${w.signers} THEN 'http://' ELSE 'https://' END || host AS base) b,
    LATERAL (SELECT base || '/users/r' || n AS uri) me
`;

/** Inserts hosts without an address, which have failed for a week and more; each is tried within three hours. */
const insertGoneHosts = (db: Db) => db`
  INSERT INTO remote_hosts (host, due_at, resting, failures, failing_since, settled_at, slow)
  SELECT domain, now() + interval '1 second' * (10 + 10800 * bench.dice(row_number() OVER (), 5)), true, 60,
    now() - interval '8 days', now(), true
  FROM (
    SELECT DISTINCT domain FROM accounts WHERE domain LIKE 'h%.example'
  ) AS gone
`;

export const insertAccounts = async (db: Db, w: Fill): Promise<void> => {
  await insertLocals(db, w);
  await insertKeys(db, w);
  await insertUsers(db, w);
  await insertTokens(db);
  await insertSessions(db, w);
  await insertRemotes(db, w);
  await insertGoneHosts(db);
};

export const LOCAL = (db: Db, w: Fill, n: string) =>
  db`bench.id_at(${w.accountsFrom}::bigint + (${db.unsafe(n)})::bigint * 60000, 0)`;
export const REMOTE = (db: Db, w: Fill, n: string) =>
  db`bench.id_at(${w.accountsFrom}::bigint + (${db.unsafe(n)})::bigint * 60000, 1)`;

/**
 * Inserts follows: viewers follow 500 accounts, other active people 5 to 200 with a long tail, the rest three; seven in
 * ten of the followed accounts are remote. Each remote account follows two local people.
 */
const insertOrdinaryFollows = async (db: Db, w: Fill): Promise<void> => {
  await db`
    INSERT INTO follows (id, account_id, target_account_id, created_at)
    SELECT row_number() OVER (ORDER BY n, target), ${LOCAL(db, w, "n")}, target, bench.time_at(${w.statusesFrom})
    FROM (
      SELECT n, target, row_number() OVER (PARTITION BY n ORDER BY min(k)) AS place, wanted
      FROM (
        SELECT n, k, wanted,
          CASE WHEN bench.dice(n * 4096 + k, 1) < 0.3
            THEN ${LOCAL(db, w, `bench.tail(${w.active}, bench.dice(n * 4096 + k, 2))`)}
            ELSE ${REMOTE(db, w, `bench.tail(${w.remote}, bench.dice(n * 4096 + k, 2))`)}
          END AS target
        FROM generate_series(1, ${w.people}::int) AS n,
          LATERAL (SELECT CASE
            WHEN n <= ${w.viewers} THEN ${w.followsOfViewer}::int
            WHEN n <= ${w.active} THEN floor(5 + 10 / (bench.dice(n, 3) + 0.05))::int
            ELSE 3 END AS wanted) c,
          generate_series(1, wanted * 2) AS k
      ) picks
      WHERE target <> ${LOCAL(db, w, "n")}
      GROUP BY n, target, wanted
    ) distinct_picks
    WHERE place <= wanted
  `;
  await db`
    INSERT INTO follows (id, account_id, target_account_id, local, created_at)
    SELECT (1::bigint << 40) + row_number() OVER (), ${REMOTE(db, w, "n")}, target, false, bench.time_at(${w.statusesFrom})
    FROM (
      SELECT DISTINCT n, ${LOCAL(db, w, `bench.tail(${w.active}, bench.dice(n * 4 + k, 4))`)} AS target
      FROM generate_series(1, ${w.remote}::int) AS n, generate_series(1, 2) AS k
    ) picks
  `;
};

/** Inserts the followers of the accounts that post in the scenarios. */
const insertAudiences = async (db: Db, w: Fill): Promise<void> => {
  const at = db`bench.time_at(${w.statusesFrom})`;
  await db`
    INSERT INTO follows (id, account_id, target_account_id, created_at)
    SELECT (2::bigint << 40) + n, ${LOCAL(db, w, "n")}, ${LOCAL(db, w, String(w.hub))}, ${at}
    FROM generate_series(${w.viewers}::int + 1, ${w.people}::int) AS n
  `;
  await db`
    INSERT INTO follows (id, account_id, target_account_id, created_at)
    SELECT (3::bigint << 40) + n * 100 + a, ${LOCAL(db, w, "n")},
      ${LOCAL(db, w, `(${w.firstAuthor} + a)`)}, ${at}
    FROM generate_series(${w.viewers}::int + 1, ${w.viewers}::int + ${w.readers}::int) AS n,
      generate_series(0, ${w.authors}::int - 1) AS a
  `;
  await db`
    INSERT INTO follows (id, account_id, target_account_id, local, created_at)
    SELECT (4::bigint << 40) + n, ${REMOTE(db, w, "n")}, ${LOCAL(db, w, String(w.courier))}, false, ${at}
    FROM generate_series(1, ${w.signers}::int) AS n
  `;
};

export const insertFollows = async (db: Db, w: Fill): Promise<void> => {
  await insertOrdinaryFollows(db, w);
  await insertAudiences(db, w);
};

/** Inserts a follower of that local account on each of the hosts, with a shared inbox; `first` is the first id. */
export const insertNewsReaders = (db: Db, number: number, hosts: string[], first: number) => db`
  WITH readers AS (
    INSERT INTO accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, public_key)
    SELECT ${first}::int + n, 'reader', host, base || '/users/reader', base || '/@reader',
      base || '/users/reader/inbox', base || '/inbox', ''
    FROM unnest(${hosts}::text[]) WITH ORDINALITY AS h (host, n),
      LATERAL (SELECT 'http://' || host AS base) b
    RETURNING id
  )
  INSERT INTO follows (id, account_id, target_account_id, local)
  SELECT (5::bigint << 40) + readers.id, readers.id, a.id, false
  FROM readers, accounts a WHERE a.username = ${`u${number}`} AND a.domain IS NULL
`;

/** Inserts servers that share signatures (src/federation/signatures/shared.ts). */
export const insertSharingPeers = (db: Db, hosts: string[]) => db`
  INSERT INTO peers (host, software, version, checked_at)
  SELECT host, 'mastodon', '4.5.1', now() FROM unnest(${hosts}::text[]) AS h (host)
`;

export const insertTags = (db: Db, w: Fill) => db`
  INSERT INTO tags (id, name, display_name)
  SELECT n, 'topic' || n, 'Topic' || n FROM generate_series(1, ${w.tags}::int) AS n
`;

/** Returns the author of status `n`: a quarter are local. */
const author = (db: Db, w: Fill, n: string) => db`
  CASE WHEN bench.dice(${db.unsafe(n)}, 10) < 0.25
    THEN ${LOCAL(db, w, `bench.tail(${w.active}, bench.dice(${n}, 11))`)}
    ELSE ${REMOTE(db, w, `bench.tail(${w.remote}, bench.dice(${n}, 11))`)}
  END
`;

export const statusId = (db: Db, w: Fill, n: string) =>
  db`bench.id_at(${w.statusesFrom}::bigint + ${db.unsafe(n)} * ${w.statusStep}::int, 0)`;

const threadAuthor = (db: Db, w: Fill, k: string) =>
  db`1 + floor(${w.active}::int * bench.dice(t * 100 + ${db.unsafe(k)}, 20))::bigint`;

/** Inserts roots by the person of the same number, each with its replies to earlier statuses of the thread. */
export const insertThreads = (db: Db, w: Fill) => db`
  WITH parts AS (
    SELECT t, k, ${w.threadsFrom}::bigint + t * 6000000 AS began,
      CASE WHEN k = 0 THEN NULL WHEN k % 3 = 0 THEN k / 2 ELSE (k - 1) / 2 END AS above
    FROM generate_series(1, ${w.threads}::int) AS t, generate_series(0, ${w.threadLength}::int) AS k
  ), planned_posts AS (
    SELECT *, began + k * 60000 AS ms,
      CASE k WHEN 0 THEN t ELSE ${threadAuthor(db, w, "k")} END AS by,
      CASE above WHEN 0 THEN t ELSE ${threadAuthor(db, w, "above")} END AS to_whom
    FROM parts
  )
  INSERT INTO statuses (id, account_id, uri, url, local, text, content, visibility, awaits_approval, language,
    in_reply_to_id, in_reply_to_account_id, conversation_id, created_at)
  SELECT me.id, ${LOCAL(db, w, "by")}, ${w.origin} || '/users/u' || by || '/statuses/' || me.id,
    ${w.origin} || '/@u' || by || '/' || me.id, true, words, '<p>' || words || '</p>', 'public', false, 'en',
    bench.id_at(began + above * 60000, 0), ${LOCAL(db, w, "to_whom")}, bench.id_at(began, 0),
    bench.time_at(ms)
  FROM planned_posts, LATERAL (SELECT bench.id_at(ms, 0) AS id,
    substr(bench.words(), 1 + (t * 7 + k * 13)::int % 700, 160) AS words) me
`;

/** Returns the kind of status `n`: b is a boost, r a reply, p neither. */
const kind = (db: Db, n: string) => db`
  CASE WHEN bench.dice(${db.unsafe(n)}, 12) < 0.1 THEN 'b'
    WHEN bench.dice(${db.unsafe(n)}, 12) < 0.35 THEN 'r' ELSE 'p' END
`;

const visibility = (db: Db, n: string) => db`
  CASE WHEN bench.dice(${db.unsafe(n)}, 13) < 0.80 THEN 'public'
    WHEN bench.dice(${db.unsafe(n)}, 13) < 0.92 THEN 'unlisted'
    WHEN bench.dice(${db.unsafe(n)}, 13) < 0.99 THEN 'private' ELSE 'direct' END
`;

/** Inserts statuses `from` to `to`, in order of time. Boosts and replies refer to plain public statuses. */
export const insertStatuses = (db: Db, w: Fill, from: number, to: number) => db`
  WITH planned AS (
    SELECT n, ${kind(db, "n")} AS wanted, ${author(db, w, "n")} AS by,
      n - 1 - floor(bench.dice(n, 14) * 1000)::bigint AS target
    FROM generate_series(${from}::bigint, ${to}::bigint) AS n
  ), decided AS (
    SELECT n, by, target, CASE WHEN target >= 1 AND ${kind(db, "target")} = 'p'
      AND ${visibility(db, "target")} = 'public' THEN wanted ELSE 'p' END AS kind
    FROM planned
  ), planned_posts AS (
    SELECT d.*, ${statusId(db, w, "n")} AS id, ${w.statusesFrom}::bigint + n * ${w.statusStep}::int AS ms,
      a.domain IS NULL AS local, a.uri AS actor, a.url AS page,
      CASE WHEN kind = 'b' THEN '' ELSE
        substr(bench.words(), 1 + floor(bench.dice(n, 15) * 900)::int, 60 + floor(bench.dice(n, 16) * 340)::int)
      END AS words
    FROM decided d JOIN accounts a ON a.id = d.by
  )
  INSERT INTO statuses (id, account_id, uri, url, local, text, content, visibility, awaits_approval, sensitive, language,
    in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, app_id, has_media, created_at)
  SELECT id, by, actor || '/statuses/' || id, page || '/' || id, local,
    CASE WHEN local THEN words ELSE '' END,
    CASE WHEN kind = 'b' THEN '' ELSE '<p>' || words || '</p>' END,
    CASE WHEN kind = 'b' THEN 'public' ELSE ${visibility(db, "n")} END, false, bench.dice(n, 17) < 0.03,
    CASE WHEN bench.dice(n, 18) < 0.8 THEN 'en' ELSE 'de' END,
    CASE WHEN kind = 'r' THEN ${statusId(db, w, "target")} END,
    CASE WHEN kind = 'r' THEN ${author(db, w, "target")} END,
    CASE WHEN kind = 'b' THEN ${statusId(db, w, "target")} END,
    CASE WHEN kind = 'r' THEN ${statusId(db, w, "target")} WHEN kind = 'p' THEN id END,
    CASE WHEN local THEN 1 END, kind <> 'b' AND bench.dice(n, 19) < 0.1, bench.time_at(ms)
  FROM planned_posts ORDER BY n
  ON CONFLICT DO NOTHING
`;

const numberOf = (db: Db, w: Fill) =>
  db`(((s.id >> 16) - ${w.statusesFrom}::bigint) / ${w.statusStep}::int)`;

/**
 * Inserts the parts of statuses `from` to `to`: conversations, mentions, tags, media, the search index of local ones.
 */
export const insertParts = async (db: Db, w: Fill, from: number, to: number): Promise<void> => {
  const written = db`
    statuses s WHERE s.reblog_of_id IS NULL
      AND s.id BETWEEN ${statusId(db, w, `${from}::bigint`)} AND ${statusId(db, w, `${to}::bigint`)}
  `;
  await db`
    INSERT INTO conversations (id, uri)
    SELECT s.id, 'tag:' || split_part(s.uri, '/', 3) || ',2025-01-01:objectId=' || s.id
      || ':objectType=Conversation'
    FROM ${written} AND s.in_reply_to_id IS NULL AND NOT s.local
  `;
  await db`
    INSERT INTO mentions (status_id, account_id)
    SELECT s.id, s.in_reply_to_account_id FROM ${written} AND s.in_reply_to_id IS NOT NULL
    UNION
    SELECT id, ${LOCAL(db, w, `bench.tail(${w.active}, bench.dice(n, 31))`)}
    FROM (SELECT s.id, ${numberOf(db, w)} AS n FROM ${written}) t WHERE bench.dice(n, 30) < 0.2
  `;
  await db`
    INSERT INTO statuses_tags (tag_id, status_id, account_id)
    SELECT DISTINCT bench.tail(${w.tags}, bench.dice(n * 4 + k, 33)), id,
      CASE WHEN visibility IN ('public', 'unlisted') THEN account_id END
    FROM (SELECT s.id, s.account_id, s.visibility, ${numberOf(db, w)} AS n FROM ${written}) t, generate_series(1, 2) AS k
    WHERE bench.dice(n, 32) < 0.25
  `;
  await db`
    INSERT INTO media_attachments (id, account_id, status_id, type, media_type, url, remote_url,
      description, blurhash, meta)
    SELECT s.id, s.account_id, s.id, 'image', 'image/jpeg', s.url || '/picture.jpg', s.url || '/picture.jpg',
      'A rook on a fence', 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
      '{"original": {"width": 1280, "height": 720, "size": "1280x720", "aspect": 1.7777777777777777}}'
    FROM ${written} AND s.has_media
  `;
  await db`
    INSERT INTO status_search (status_id, open, words)
    SELECT s.id, false, to_tsvector('simple', s.text) || array_to_tsvector(ARRAY['=from:' || s.account_id, '=lang:' || s.language])
    FROM ${written} AND s.local
  `;
};

/** Computes all counters from the rows. */
const countAll = async (db: Db): Promise<void> => {
  await db`TRUNCATE status_stats, account_stats`;
  await db`
    INSERT INTO status_stats (status_id, replies_count, reblogs_count, favourites_count)
    SELECT s.id, coalesce(r.count, 0), coalesce(b.count, 0), coalesce(f.count, 0)
    FROM statuses s
    LEFT JOIN (SELECT in_reply_to_id AS id, count(*) FROM statuses
      WHERE visibility <> 'direct' GROUP BY 1) r USING (id)
    LEFT JOIN (SELECT reblog_of_id AS id, count(*) FROM statuses GROUP BY 1) b USING (id)
    LEFT JOIN (SELECT status_id AS id, count(*) FROM favourites GROUP BY 1) f USING (id)
    WHERE s.reblog_of_id IS NULL
  `;
  await db`
    INSERT INTO account_stats (account_id, statuses_count, followers_count, following_count, last_status_at)
    SELECT a.id, coalesce(s.count, 0), coalesce(er.count, 0), coalesce(ing.count, 0), s.last
    FROM accounts a
    LEFT JOIN (SELECT account_id AS id, count(*) FILTER (WHERE visibility <> 'direct'),
      max(created_at) AS last FROM statuses GROUP BY 1) s USING (id)
    LEFT JOIN (SELECT target_account_id AS id, count(*) FROM follows GROUP BY 1) er USING (id)
    LEFT JOIN (SELECT account_id AS id, count(*) FROM follows GROUP BY 1) ing USING (id)
  `;
};

export const finish = async (db: Db): Promise<void> => {
  await countAll(db);
  await db`DROP SCHEMA bench CASCADE`;
  await db`VACUUM (ANALYZE)`;
  await db`CHECKPOINT`;
  await db`RESET session_replication_role`;
  await db`RESET synchronous_commit`;
};
