// All SQL of the severances slice.

import type { Db } from "../../platform/db/index.ts";

export type SeveranceType = "domain_block" | "user_domain_block" | "account_suspension";

export type SeveranceRow = {
  id: string;
  type: SeveranceType;
  target_name: string;
  purged: boolean;
  followers_count: number;
  following_count: number;
  created_at: Date;
};

export const insertEvent = async (
  db: Db,
  type: SeveranceType,
  target: string,
  at: Date,
): Promise<string> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO severance_events (type, target_name, created_at)
    VALUES (${type}, ${target}, ${at}) RETURNING id
  `;
  return row!.id;
};

export type Severed = {
  account_id: string;
  other_account_id: string;
  direction: "followed" | "follower";
  show_reblogs: boolean;
  notify: boolean;
  languages: string[] | null;
};

export const insertSevered = (db: Db, eventId: string, rows: Severed[]) => db`
  INSERT INTO severed_relationships (event_id, account_id, other_account_id, direction, show_reblogs,
    notify, languages)
  SELECT ${eventId}::bigint, account_id, other_account_id, direction, show_reblogs, notify, languages
  FROM jsonb_to_recordset(${db.json(rows as never)}) AS r (
    account_id bigint, other_account_id bigint, direction text, show_reblogs boolean, notify boolean,
    languages text[]
  )
  ON CONFLICT DO NOTHING
`;

/** The events as one local person has them. */
export const selectEvents = (db: Db, accountId: string, ids: string[]) => db<SeveranceRow[]>`
  SELECT e.id, e.type, e.target_name, e.purged, e.created_at, r.followers AS followers_count,
    r.followed AS following_count
  FROM severance_events e
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE direction = 'follower')::int AS followers,
      count(*) FILTER (WHERE direction = 'followed')::int AS followed
    FROM severed_relationships s WHERE s.account_id = ${accountId} AND s.event_id = e.id
  ) r
  WHERE e.id = ANY(${ids}::bigint[])
`;

export type LostRow = Severed & { acct: string };

/** What one person lost with an event, by handle. */
export const selectLost = (db: Db, accountId: string, eventId: string) => db<LostRow[]>`
  SELECT s.account_id, s.other_account_id, s.direction, s.show_reblogs, s.notify, s.languages,
    a.username || '@' || a.domain AS acct
  FROM severed_relationships s JOIN accounts a ON a.id = s.other_account_id
  WHERE s.account_id = ${accountId} AND s.event_id = ${eventId}
  ORDER BY s.direction, a.domain, a.username
`;

export const selectAccountsOf = (db: Db, eventId: string) => db<{ account_id: string }[]>`
  SELECT DISTINCT account_id FROM severed_relationships WHERE event_id = ${eventId} ORDER BY account_id
`;
