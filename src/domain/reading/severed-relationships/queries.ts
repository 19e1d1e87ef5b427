// All SQL of the severances slice.

import type { FollowSettings } from "../../people/relationships/tables.ts";
import type { Db } from "../../../platform/db/index.ts";
import { onlyValue } from "../../../platform/db/rows.ts";

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

export const insertEvent = (db: Db, type: SeveranceType, target: string, at: Date) =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO severance_events (type, target_name, created_at)
    VALUES (${type}, ${target}, ${at}) RETURNING id
  `);

/** Uses an id that was given before, since parts may come in any order. */
export const insertEventAs = (
  db: Db,
  event: { id: string; type: SeveranceType; target: string; at: Date },
) => db`
  INSERT INTO severance_events (id, type, target_name, created_at)
  VALUES (${event.id}, ${event.type}, ${event.target}, ${event.at}) ON CONFLICT (id) DO NOTHING
`;

export type Severed = FollowSettings & {
  account_id: string;
  other_account_id: string;
  direction: "followed" | "follower";
};

export const insertSevered = (db: Db, eventId: string, rows: Severed[]) => db`
  INSERT INTO severed_relationships (event_id, account_id, other_account_id, direction, show_reblogs,
    show_replies, daily_limit, notify, languages)
  SELECT ${eventId}::bigint, account_id, other_account_id, direction, show_reblogs, show_replies, daily_limit,
    notify, languages
  FROM jsonb_to_recordset(${db.json(rows as never)}) AS r (
    account_id bigint, other_account_id bigint, direction text, show_reblogs boolean, show_replies boolean,
    daily_limit smallint, notify boolean, languages text[]
  )
  ON CONFLICT DO NOTHING
`;

/** Selects the events as one local person has them. */
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

/** Selects what one person lost with each event, newest first. */
export const selectEventsOf = (db: Db, accountId: string, limit: number) => db<SeveranceRow[]>`
  SELECT e.id, e.type, e.target_name, e.purged, e.created_at, s.followers_count, s.following_count
  FROM (
    SELECT event_id, count(*) FILTER (WHERE direction = 'follower')::int AS followers_count,
      count(*) FILTER (WHERE direction = 'followed')::int AS following_count
    FROM severed_relationships WHERE account_id = ${accountId}
    GROUP BY event_id ORDER BY event_id DESC LIMIT ${limit}
  ) s JOIN severance_events e ON e.id = s.event_id
  ORDER BY e.id DESC
`;

export type LostRow = Omit<Severed, "account_id" | "direction"> & {
  acct: string;
};

/** Selects a page of them, in the order of their ids. */
export const selectLost = (
  db: Db,
  of: { accountId: string; eventId: string; direction: Severed["direction"]; localDomain: string },
  after: string,
  limit: number,
) => db<LostRow[]>`
  SELECT s.other_account_id, s.show_reblogs, s.show_replies, s.daily_limit, s.notify, s.languages,
    a.username || '@' || coalesce(a.domain, ${of.localDomain}) AS acct
  FROM severed_relationships s JOIN accounts a ON a.id = s.other_account_id
  WHERE s.account_id = ${of.accountId} AND s.event_id = ${of.eventId} AND s.direction = ${of.direction}
    AND s.other_account_id > ${after}
  ORDER BY s.other_account_id LIMIT ${limit}
`;

export const selectAccountsOf = (db: Db, eventId: string) => db<{ account_id: string }[]>`
  SELECT DISTINCT account_id FROM severed_relationships WHERE event_id = ${eventId} ORDER BY account_id
`;
