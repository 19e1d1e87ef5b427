// SQL about the progress of a replica. Positions in the log are numbers of bytes.

import type { Db } from "./index.ts";
import { onlyValue } from "./rows.ts";

/** Selects the position up to which the primary's log has everything that anybody can have seen. */
export const selectCommitted = (db: Db): Promise<number> =>
  onlyValue(db<[{ position: number }]>`
    SELECT pg_wal_lsn_diff(CASE current_setting('synchronous_commit')
      WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END,
      '0/0')::float8 AS position
  `);

/** Selects the position up to which a replica has replayed the log; null if this is no replica. */
export const selectReplayed = (db: Db): Promise<number | null> =>
  onlyValue(db<[{ position: number | null }]>`
    SELECT CASE WHEN pg_is_in_recovery()
      THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 END AS position
  `);

/** Selects an id that only a database and its replicas share. */
export const selectSystem = (db: Db): Promise<string> =>
  onlyValue(db<[{ id: string }]>`SELECT system_identifier AS id FROM pg_control_system()`);
