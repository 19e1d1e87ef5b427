// SQL of commands that run beside the server in separate processes.

import type { Db } from "../db/index.ts";
import { hasRows } from "../db/rows.ts";

/** Claims a run; returns false when one runs that was seen since `since`. */
export const claimRun = (db: Db, name: string, { now, since }: { now: Date; since: Date }) =>
  hasRows(db`
    INSERT INTO server_runs (name, seen_at) VALUES (${name}, ${now})
    ON CONFLICT (name) DO UPDATE SET seen_at = ${now} WHERE server_runs.seen_at < ${since}
    RETURNING 1
  `);

export const touchRun = (db: Db, name: string, now: Date) => db`
  INSERT INTO server_runs (name, seen_at) VALUES (${name}, ${now})
  ON CONFLICT (name) DO UPDATE SET seen_at = ${now}
`;

export const deleteRun = (db: Db, name: string) => db`DELETE FROM server_runs WHERE name = ${name}`;

export const selectRuns = (db: Db, since: Date) => db<{ name: string }[]>`
  SELECT name FROM server_runs WHERE seen_at >= ${since}
`;
