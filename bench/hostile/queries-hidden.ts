// The SQL of `hidden`: very many posts of few people, who are all on one server, and people who hide them.

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

export const insertHidden = async (
  db: Db,
  { muter, blocker, shy, reader }: Record<"muter" | "blocker" | "shy" | "reader", string>,
): Promise<void> => {
  await db`
    INSERT INTO mutes (account_id, target_account_id)
    SELECT ${muter}::bigint, id FROM accounts WHERE domain = 'large.example'
    UNION ALL SELECT ${shy}::bigint, id FROM accounts WHERE domain = 'large.example'
    UNION ALL (
      SELECT ${shy}::bigint, id FROM accounts WHERE domain IS NOT NULL AND domain <> 'large.example' LIMIT 700
    )
  `;
  await db`INSERT INTO account_domain_blocks (account_id, domain) VALUES (${blocker}, 'large.example')`;
  await db`
    UPDATE users SET settings = settings || '{"chosen_languages": ["de"]}' WHERE account_id = ${reader}
  `;
  await db`ANALYZE mutes, account_domain_blocks`;
};
