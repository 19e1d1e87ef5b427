// Allows one server process per database when feeds and pubsub are in memory, and any number of those that share theirs
// in Valkey, by an advisory lock on the session of the process (session.ts), which is taken again when the session was
// lost.

import { ConfigError } from "../errors.ts";
import { sessionOf } from "./session.ts";
import type { Sql } from "./index.ts";
import { onlyValue } from "./rows.ts";

const LOCK = 7_266_534; // an arbitrary number that only servers use
const CHECK_MS = 10_000;

/** Whether this session holds the lock, which it takes if it is free (or shared). */
const hold = async (sql: Sql, isShared: boolean): Promise<boolean> => {
  const take = isShared ? sql`pg_try_advisory_lock_shared` : sql`pg_try_advisory_lock`;
  return onlyValue(sql<{ locked: boolean }[]>`
    SELECT CASE
      WHEN EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objid = ${LOCK} AND pid = pg_backend_pid() AND granted
      ) THEN true
      ELSE ${take}(${LOCK})
    END AS locked
  `);
};

const release = (sql: Sql, isShared: boolean) =>
  isShared
    ? sql`SELECT pg_advisory_unlock_shared(${LOCK})`
    : sql`SELECT pg_advisory_unlock(${LOCK})`;

type HoldOptions = {
  /** True when others that share the lock may hold it, too. */
  isShared?: boolean;
  checkMs?: number;
};

/**
 * Takes the lock; the result releases it. Throws ConfigError when another process has it. `onLost` is called when the
 * connection was lost and another process took the lock before this one could again.
 */
export const holdDatabase = async (
  pool: Sql,
  onLost: () => void = () => {},
  { isShared = false, checkMs = CHECK_MS }: HoldOptions = {},
): Promise<() => Promise<void>> => {
  const { sql } = sessionOf(pool);
  if (!(await hold(sql, isShared))) {
    throw new ConfigError(
      isShared
        ? "Another Rookery process is using this database without Valkey or Redis: stop it first, and set REDIS_URL for it too."
        : "Another Rookery process is using this database, and running several requires Valkey or Redis: stop the other one first.",
    );
  }
  const check = async (): Promise<void> => {
    // While the database is away nobody else has the lock either.
    if ((await hold(sql, isShared).catch(() => null)) === false) onLost();
  };
  let checking: Promise<void> | null = null;
  const checkOnce = (): void => {
    checking ??= check().finally(() => (checking = null));
  };
  const timer = setInterval(checkOnce, checkMs).unref();
  return async () => {
    clearInterval(timer);
    // The driver may send a statement that waited for a connection after later ones: a check would take the lock again.
    await checking;
    // A lost session holds no lock.
    await release(sql, isShared).catch(() => {});
  };
};
