// SQL of upkeep: accounts that nothing refers to, and damage of the database.

import type { Db } from "../uses.ts";

/**
 * Selects a page of remote accounts older than `newest`, and which of them nothing refers to: none of their posts is
 * stored, and no relation, mention, favourite, vote, report or decision of moderators names them. `last` is the last id
 * of the page.
 */
export const selectStrangers = async (
  db: Db,
  after: string,
  newest: string,
  limit: number,
): Promise<{ strangers: string[]; looked: number; last: string | null }> => {
  const [row] = await db<[{ strangers: string[]; looked: number; last: string | null }]>`
    WITH page AS MATERIALIZED (
      SELECT id, suspended_at IS NULL AND silenced_at IS NULL AND sensitized_at IS NULL
        AND moved_to_account_id IS NULL AS plain
      FROM accounts WHERE domain IS NOT NULL AND id > ${after} AND id < ${newest}
      ORDER BY id LIMIT ${limit}
    )
    SELECT (SELECT count(*)::int FROM page) AS looked, (SELECT max(id) FROM page) AS last,
      ARRAY(
        SELECT id::text FROM page p
        WHERE plain
          AND NOT EXISTS (SELECT FROM statuses x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM statuses x WHERE x.in_reply_to_account_id = p.id)
          AND NOT EXISTS (SELECT FROM quotes x WHERE x.quoted_account_id = p.id)
          AND NOT EXISTS (SELECT FROM mentions x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM favourites x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM poll_votes x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM event_answers x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM follows x WHERE p.id = x.account_id)
          AND NOT EXISTS (SELECT FROM follows x WHERE p.id = x.target_account_id)
          AND NOT EXISTS (SELECT FROM follow_requests x WHERE p.id = x.account_id)
          AND NOT EXISTS (SELECT FROM follow_requests x WHERE p.id = x.target_account_id)
          AND NOT EXISTS (SELECT FROM blocks x WHERE p.id = x.account_id)
          AND NOT EXISTS (SELECT FROM blocks x WHERE p.id = x.target_account_id)
          AND NOT EXISTS (SELECT FROM mutes x WHERE p.id = x.target_account_id)
          AND NOT EXISTS (SELECT FROM account_notes x WHERE p.id = x.target_account_id)
          AND NOT EXISTS (SELECT FROM notifications x WHERE x.from_account_id = p.id)
          AND NOT EXISTS (SELECT FROM notification_permissions x WHERE x.from_account_id = p.id)
          AND NOT EXISTS (SELECT FROM collection_items x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM reports x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM reports x WHERE x.target_account_id = p.id)
          AND NOT EXISTS (SELECT FROM strikes x WHERE x.target_account_id = p.id)
          AND NOT EXISTS (SELECT FROM severed_relationships x WHERE x.other_account_id = p.id)
          AND NOT EXISTS (SELECT FROM spam_matches x WHERE x.account_id = p.id)
          AND NOT EXISTS (SELECT FROM accounts x WHERE x.moved_to_account_id = p.id)
      ) AS strangers
  `;
  return row;
};

/** Damage of the database that maintenance finds. */
export type Damage = { kind: "leftover" | "invalid" | "bloated"; name: string };

/**
 * Selects indexes whose creation was interrupted (REINDEX CONCURRENTLY leaves them over), and tables of which a fifth
 * is dead rows.
 */
export const selectDamage = (db: Db) => db<Damage[]>`
  SELECT CASE WHEN c.relname ~ '_ccnew\\d*$' THEN 'leftover' ELSE 'invalid' END AS kind,
    i.indexrelid::regclass::text AS name
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE NOT i.indisvalid AND c.relkind = 'i'
  UNION ALL
  SELECT 'bloated', relid::regclass::text FROM pg_stat_user_tables
  WHERE n_dead_tup > 10000 AND n_dead_tup > n_live_tup / 4
  ORDER BY 1, 2
`;

/** Whether the rules for sorting texts have changed since the indexes were made. */
export const hasOtherCollation = async (db: Db): Promise<boolean> => {
  const [row] = await db<[{ other: boolean | null }]>`
    SELECT datcollversion <> pg_database_collation_actual_version(oid) AS other
    FROM pg_database WHERE datname = current_database()
  `;
  return row.other === true;
};

/** Repairs one thing at a time, outside of transactions; no reader or writer waits for it. */
export const repair = (db: Db, { kind, name }: Damage) =>
  kind === "leftover"
    ? db.unsafe(`DROP INDEX CONCURRENTLY ${name}`)
    : kind === "invalid"
      ? db.unsafe(`REINDEX INDEX CONCURRENTLY ${name}`)
      : db.unsafe(`VACUUM (ANALYZE) ${name}`);

export const rebuildAllIndexes = async (db: Db): Promise<void> => {
  const [row] = await db<[{ name: string }]>`SELECT quote_ident(current_database()) AS name`;
  await db.unsafe(`REINDEX DATABASE CONCURRENTLY ${row.name}`);
  await db.unsafe(`ALTER DATABASE ${row.name} REFRESH COLLATION VERSION`);
};
