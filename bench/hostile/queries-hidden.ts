// The SQL of `hidden`: very many posts of few people, who are all on one server, and people who hide them.

import { onlyValue } from "../../src/platform/db/rows.ts";
import type { Db, Sql } from "../../src/platform/db/index.ts";

/** Milliseconds of the first post, after everything in the world. */
const FROM = Date.UTC(2026, 9);
const AUTHORS_FROM = Date.UTC(2026, 8);

/** Inserts posts; every fifth has a tag, and all have the same two words. */
export const insertBusy = async (
  db: Sql,
  { posts, people }: { posts: number; people: number },
): Promise<void> => {
  await db.begin(async (tx) => {
    // The rows satisfy the foreign keys, and no triggers run.
    await tx`SET LOCAL session_replication_role = replica`;
    await tx`
    INSERT INTO accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url, indexable)
    SELECT ((${AUTHORS_FROM}::bigint + n) << 16) + 2, 'busy' || n, 'large.example', uri, uri, uri || '/inbox',
      'https://large.example/inbox', true
    FROM generate_series(1, ${people}::int) AS n,
      LATERAL (SELECT 'https://large.example/users/busy' || n AS uri) me
  `;
    await tx`
    INSERT INTO statuses (id, account_id, uri, url, local, content, visibility, awaits_approval, language,
      conversation_id, created_at)
    SELECT id, ((${AUTHORS_FROM}::bigint + 1 + n % ${people}::int) << 16) + 2, 'https://large.example/' || n,
      'https://large.example/' || n, false, '<p>' || repeat('alpha bravo ', 14) || '</p>', 'public',
      false, 'en', NULL, timestamptz 'epoch' + (${FROM}::bigint + n) * interval '1 millisecond'
    FROM generate_series(1, ${posts}::int) AS n, LATERAL (SELECT ((${FROM}::bigint + n) << 16) + 2 AS id) me
  `;
    await tx`INSERT INTO tags (name, display_name) VALUES ('busy', 'busy') ON CONFLICT DO NOTHING`;
    await tx`
    INSERT INTO statuses_tags (tag_id, status_id, account_id)
    SELECT t.id, s.id, s.account_id FROM tags t, statuses s
    WHERE t.name = 'busy' AND s.id >= ((${FROM}::bigint) << 16) + 0 AND (s.id >> 16) % 5 = 0
  `;
    await tx`
    INSERT INTO status_search (status_id, open, words)
    SELECT id, true, '''=open'':1 ''alpha'':2 ''bravo'':3'::tsvector FROM statuses
    WHERE id >= ((${FROM}::bigint) << 16) + 0
  `;
  });
  for (const table of ["accounts", "statuses", "statuses_tags", "tags", "status_search"])
    await db.unsafe(`VACUUM ANALYZE ${table}`);
};

/** Inserts people from whom one person alone has notifications. */
export const insertSenders = async (db: Db, people: number): Promise<void> => {
  await db`
    INSERT INTO accounts (username, domain, uri, url)
    SELECT 'gone' || n, 'gone.example', 'https://gone.example/' || n, 'https://gone.example/' || n
    FROM generate_series(1, ${people}::int) AS n
  `;
};

/** Inserts so many for each recipient by people whom they hide, and some by others before that, or after. */
export const insertNotifications = async (
  db: Db,
  recipients: string[],
  each: number,
  areNewest: boolean,
): Promise<void> => {
  await db`
    INSERT INTO notifications (account_id, from_account_id, type, subject_id, group_key)
    SELECT r.id, s.id, CASE n % 2 WHEN 0 THEN 'mention' ELSE 'follow' END, n,
      CASE n % 2 WHEN 1 THEN 'follow-' || n / 50 END
    FROM unnest(${recipients}::bigint[]) WITH ORDINALITY AS r (id, place)
    CROSS JOIN (
      SELECT array_agg(id) FILTER (WHERE domain = 'large.example') AS busy,
        array_agg(id) FILTER (WHERE domain = 'gone.example') AS gone FROM accounts
    ) AS senders
    CROSS JOIN LATERAL (
      (SELECT n, CASE WHEN place = 6 THEN gone[1 + n % array_length(gone, 1)]
        ELSE busy[1 + n % array_length(busy, 1)] END AS id, true AS hidden
      FROM generate_series(1, ${each}::int) AS n)
      UNION ALL SELECT ${each}::int + row_number() OVER (), id, false
      FROM (SELECT id FROM accounts WHERE domain IS NULL AND id <> r.id LIMIT 100) AS others
    ) AS s (n, id, hidden)
    ORDER BY s.hidden = ${areNewest}, n
  `;
};

export const countPutAway = (db: Db): Promise<number> =>
  onlyValue(
    db<
      { count: number }[]
    >`SELECT count(*)::int AS count FROM notifications WHERE filtered IS NULL`,
  );

type Hiding = Record<"muter" | "blocker" | "shy" | "reader" | "pauser" | "blocked", string>;

export const insertHidden = async (
  db: Db,
  { muter, blocker, shy, reader, pauser, blocked }: Hiding,
): Promise<void> => {
  await db`
    INSERT INTO mutes (account_id, target_account_id)
    SELECT ${muter}::bigint, id FROM accounts WHERE domain = 'large.example'
    UNION ALL SELECT ${shy}::bigint, id FROM accounts WHERE domain = 'large.example'
    UNION ALL (
      SELECT ${shy}::bigint, id FROM accounts WHERE domain IS NOT NULL AND domain <> 'large.example' LIMIT 700
    )
  `;
  await db`
    INSERT INTO mutes (account_id, target_account_id, expires_at)
    SELECT ${pauser}::bigint, id, now() + interval '1 day' FROM accounts WHERE domain = 'large.example'
  `;
  await db`
    INSERT INTO blocks (account_id, target_account_id, uri)
    SELECT id, ${blocked}::bigint, uri || '/block' FROM accounts WHERE domain = 'large.example'
  `;
  await db`UPDATE accounts SET suspended_at = now() WHERE domain = 'gone.example'`;
  await db`INSERT INTO account_domain_blocks (account_id, domain) VALUES (${blocker}, 'large.example')`;
  await db`
    UPDATE users SET settings = settings || '{"chosen_languages": ["de"]}' WHERE account_id = ${reader}
  `;
  await db`ANALYZE mutes, account_domain_blocks`;
};
