// The one query of a page that is warm: what the viewer did with each status, how they stand to its
// author, and the versions of the rows, by which cached statuses and accounts are known to be
// still right (docs/decisions/0003-status-cache.md).

import type { Db } from "../../platform/db/index.ts";

export type PageRow = {
  id: string;
  account_id: string;
  reblog_of_id: string | null;
  /** Changes with every change of the status or its counts. */
  version: string;
  /** Changes with every change of the author, its counts or its user. */
  account_version: string;
  /** One bit each: see FLAGS. */
  flags: number;
};

export const FLAGS = {
  favourited: 1,
  reblogged: 2,
  bookmarked: 4,
  pinned: 8,
  following: 16,
  blocking: 32,
  blockedBy: 64,
  muting: 128,
} as const;

/** The statuses and what they reblog: ids, versions (xmin: the transaction that wrote the row). */
const wanted = (db: Db, ids: string[]) => db`
  WITH listed AS (
    SELECT id, account_id, reblog_of_id, xmin FROM statuses WHERE id = ANY(${ids}::bigint[])
  ), wanted AS (
    SELECT * FROM listed
    UNION
    SELECT t.id, t.account_id, t.reblog_of_id, t.xmin
    FROM listed JOIN statuses t ON t.id = listed.reblog_of_id
  )
`;

const versions = (db: Db) => db`
  w.id, w.account_id, w.reblog_of_id,
  concat_ws('.', w.xmin, st.xmin) AS version,
  concat_ws('.', a.xmin, ast.xmin, u.xmin) AS account_version
`;

const joins = (db: Db) => db`
  LEFT JOIN status_stats st ON st.status_id = w.id
  JOIN accounts a ON a.id = w.account_id
  LEFT JOIN account_stats ast ON ast.account_id = w.account_id
  LEFT JOIN users u ON u.account_id = w.account_id
`;

export const selectAnonymousPage = (db: Db, ids: string[]) => db<PageRow[]>`
  ${wanted(db, ids)}
  SELECT ${versions(db)}, 0 AS flags
  FROM wanted w ${joins(db)}
`;

/** `now` judges expired mutes. */
export const selectPersonalPage = (db: Db, ids: string[], viewerId: string, now: Date) =>
  db<PageRow[]>`
    ${wanted(db, ids)}
    SELECT ${versions(db)},
      (f.id IS NOT NULL)::int * ${FLAGS.favourited}
        + (r.id IS NOT NULL)::int * ${FLAGS.reblogged}
        + (b.id IS NOT NULL)::int * ${FLAGS.bookmarked}
        + (p.id IS NOT NULL)::int * ${FLAGS.pinned}
        + (fo.id IS NOT NULL)::int * ${FLAGS.following}
        + (bl.id IS NOT NULL)::int * ${FLAGS.blocking}
        + (bb.id IS NOT NULL)::int * ${FLAGS.blockedBy}
        + (m.id IS NOT NULL)::int * ${FLAGS.muting} AS flags
    FROM wanted w ${joins(db)}
    LEFT JOIN favourites f ON f.account_id = ${viewerId} AND f.status_id = w.id
    LEFT JOIN statuses r ON r.reblog_of_id = w.id AND r.account_id = ${viewerId}
    LEFT JOIN bookmarks b ON b.account_id = ${viewerId} AND b.status_id = w.id
    LEFT JOIN status_pins p ON p.account_id = ${viewerId} AND p.status_id = w.id
    LEFT JOIN follows fo ON fo.account_id = ${viewerId} AND fo.target_account_id = w.account_id
    LEFT JOIN blocks bl ON bl.account_id = ${viewerId} AND bl.target_account_id = w.account_id
    LEFT JOIN blocks bb ON bb.account_id = w.account_id AND bb.target_account_id = ${viewerId}
    LEFT JOIN mutes m ON m.account_id = ${viewerId} AND m.target_account_id = w.account_id
      AND (m.expires_at IS NULL OR m.expires_at > ${now})
  `;
