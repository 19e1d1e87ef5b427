// The bulk SQL for what people did with the statuses of the world, and for their notifications.

import type { Db } from "../src/platform/db/index.ts";
import { LOCAL, REMOTE, statusId } from "./queries-fill.ts";
import type { Fill } from "./queries-fill.ts";

/** Inserts favourites and bookmarks; every viewer has some on the newest statuses. */
export const insertMarks = async (db: Db, w: Fill): Promise<void> => {
  const person = LOCAL(db, w, `(1 + floor(${w.active} * bench.dice(n, 41)))::bigint`);
  const some = (w.statuses / 2) | 0;
  await db`
    INSERT INTO favourites (id, account_id, status_id)
    SELECT (1::bigint << 40) + n, ${person},
      ${statusId(db, w, `(1 + floor(${w.statuses} * bench.dice(n, 42)))::bigint`)}
    FROM generate_series(1, ${some}::int) AS n ON CONFLICT DO NOTHING
  `;
  await db`
    INSERT INTO bookmarks (id, account_id, status_id)
    SELECT v * 1000 + n, ${LOCAL(db, w, "v")},
      ${statusId(db, w, `greatest(1, ${w.statuses} - floor(2000 * bench.dice(v * 1000 + n, 43)))::bigint`)}
    FROM generate_series(1, ${w.viewers}::int) AS v, generate_series(1, 40) AS n ON CONFLICT DO NOTHING
  `;
  await db`
    INSERT INTO favourites (id, account_id, status_id)
    SELECT v * 1000 + n, ${LOCAL(db, w, "v")},
      ${statusId(db, w, `greatest(1, ${w.statuses} - floor(2000 * bench.dice(v * 1000 + n, 44)))::bigint`)}
    FROM generate_series(1, ${w.viewers}::int) AS v, generate_series(1, 80) AS n ON CONFLICT DO NOTHING
  `;
  // The pseudo-random target may be a boost, a duplicate that was left out, or missing.
  for (const table of ["favourites", "bookmarks"]) {
    await db`
      DELETE FROM ${db(table)} m WHERE NOT EXISTS (
        SELECT FROM statuses s WHERE s.id = m.status_id AND s.reblog_of_id IS NULL)
    `;
  }
};

/** Inserts forty notifications for each viewer: of new followers, and of favourites of the viewer's own statuses. */
export const insertNotifications = (db: Db, w: Fill) => db`
  INSERT INTO notifications
    (account_id, from_account_id, type, status_id, created_at, group_key)
  SELECT ${LOCAL(db, w, "v")}, ${REMOTE(db, w, "(1 + (v * 40 + n) % " + w.remote + ")")},
    CASE WHEN own.id IS NULL THEN 'follow' ELSE 'favourite' END, own.id, bench.time_at(ms),
    concat_ws('-', CASE WHEN own.id IS NULL THEN 'follow' ELSE 'favourite' END, own.id, ms / 43200000 * 12)
  FROM generate_series(1, ${w.viewers}::int) AS v, generate_series(1, 40) AS n
    CROSS JOIN LATERAL (SELECT ${w.statusesFrom}::bigint + n * 3600000 AS ms) at
    LEFT JOIN LATERAL (
      SELECT s.id FROM statuses s
      WHERE s.account_id = ${LOCAL(db, w, "v")} AND s.reblog_of_id IS NULL AND n % 4 <> 0
      ORDER BY s.id DESC LIMIT 1 OFFSET n / 4
    ) own ON true
  ORDER BY ms
`;

/**
 * Inserts favourites of the statuses `from` to `to`, half of them by remote people: one for every second status on
 * average, a third of them on one status in a thousand.
 */
export const insertLaterMarks = (db: Db, w: Fill, from: number, to: number) => db`
  INSERT INTO favourites (id, account_id, status_id, created_at)
  SELECT (8::bigint << 40) + n, who, s.id, s.created_at + interval '1 minute'
  FROM (
    SELECT n, CASE WHEN bench.dice(n, 51) < 0.5
        THEN ${LOCAL(db, w, `bench.tail(${w.active}, bench.dice(n, 52))`)}
        ELSE ${REMOTE(db, w, `bench.tail(${w.remote}, bench.dice(n, 52))`)} END AS who,
      ${from}::bigint + floor((${to}::bigint - ${from}::bigint) * bench.dice(n, 53))::bigint AS target
    FROM generate_series(${from}::bigint / 2 + 1, ${to}::bigint / 2) AS n
  ) picks CROSS JOIN LATERAL (
    SELECT CASE WHEN bench.dice(n, 54) < 0.3 THEN greatest(${from}::bigint, target / 1000 * 1000) ELSE target END AS number
  ) AS t
  JOIN statuses s ON s.id = ${statusId(db, w, "number")} AND s.reblog_of_id IS NULL
  ON CONFLICT DO NOTHING
`;

/** Inserts notifications of favourites and mentions of local people by the statuses `from` to `to`. */
export const insertLaterNotifications = async (db: Db, w: Fill, from: number, to: number) => {
  const range = db`
    s.id BETWEEN ${statusId(db, w, `${from}::bigint`)} AND ${statusId(db, w, `${to}::bigint`)}
  `;
  await db`
    INSERT INTO notifications (account_id, from_account_id, type, status_id, created_at)
    SELECT m.account_id, s.account_id, 'mention', s.id, s.created_at
    FROM statuses s JOIN mentions m ON m.status_id = s.id JOIN users u ON u.account_id = m.account_id
    WHERE ${range} AND m.account_id <> s.account_id ORDER BY s.id ON CONFLICT DO NOTHING
  `;
  await db`
    INSERT INTO notifications (account_id, from_account_id, type, status_id, created_at, group_key)
    SELECT s.account_id, f.account_id, 'favourite', s.id, f.created_at,
      concat_ws('-', 'favourite', s.id, (s.id >> 16) / 43200000 * 12)
    FROM favourites f JOIN statuses s ON s.id = f.status_id
    WHERE f.id BETWEEN (8::bigint << 40) + ${from}::bigint / 2 + 1 AND (8::bigint << 40) + ${to}::bigint / 2
      AND s.local AND f.account_id <> s.account_id ORDER BY f.created_at ON CONFLICT DO NOTHING
  `;
};

/** Does what triggers would do, which are off while the world is filled. */
export const insertNotificationGroups = async (db: Db): Promise<void> => {
  await db`TRUNCATE notification_groups`;
  await db`
  INSERT INTO notification_groups (account_id, group_key, type, status_id, latest_id, count)
  SELECT account_id, group_key, min(type), min(status_id), max(id), count(*)
  FROM notifications WHERE group_key IS NOT NULL GROUP BY account_id, group_key
  `;
};
