// The database connection (postgres.js). Columns keep their snake_case names; int8 comes as string,
// timestamps as Date.

import { refuseUnfinishedDatabase } from "../backup/unfinished.ts";
import { ConfigError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { trackCommits } from "./commits.ts";
import { learnArrayTypes, postgres } from "./driver.ts";
import { boundEachAsker } from "./each-asker.ts";
import { hostAddresses } from "./hosts.ts";
import { endLostTransactions } from "./lost-transactions.ts";
import { sessionOf, withSession } from "./session.ts";
import type { SessionHooks } from "./session.ts";
import { spareConnection } from "./spare-connection.ts";
import type { Sql, Tx } from "./types.ts";

export type { Db, Fragment, Sql, Tx } from "./types.ts";

/** Seconds after which a connection that nothing needed is closed: each takes up to 16 MB of PostgreSQL's memory. */
const IDLE_SECONDS = 45;

type Options = {
  max: number;
  /** Seconds after which idle connections are closed, but for one; 0 for never. */
  idle?: number;
  application: string;
  onNotice?: (text: string) => void;
  /**
   * Milliseconds that a statement outside of a transaction waits for a lock before it fails (isLockTimeout); 0 for
   * ever. A pooler does not pass this on.
   */
  lockTimeout?: number;
  /**
   * URL of the database itself, when `url` is that of a pooler in transaction mode (PgBouncer): each transaction may
   * then have another connection, so nothing is prepared, and what needs a session connects to the database.
   */
  direct?: string | null;
  /** True for a pooler in front of a database that is never listened to. */
  isPooled?: boolean;
};

/** Returns a socket folder as the host (`%2Frun%2Fpg`), which pg and libpq decode, but postgres.js does not. */
const socketHost = (url: string): { host?: string } => {
  const [, folder] = /^[^/]*\/\/(?:[^@/]*@)?(%2F[^:/?]*)/i.exec(url) ?? [];
  return folder ? { host: decodeURIComponent(folder) } : {};
};

const open = (
  url: string,
  { max, idle = IDLE_SECONDS, application, onNotice, lockTimeout = 0 }: Options,
  isPooled: boolean,
  hooks?: SessionHooks,
): Sql =>
  postgres(url, {
    ...socketHost(url),
    ...hooks,
    ...(hostAddresses(url).length > 1 && { target_session_attrs: "primary" as const }),
    max,
    prepare: !isPooled,
    connect_timeout: 10,
    // The driver's own pause grows to 20 s with each connection that a restart of the database ends.
    backoff: (retries) => Math.min(1, 0.05 * 2 ** retries),
    idle_timeout: idle,
    max_lifetime: null,
    onnotice: (notice) => onNotice?.(String(notice.message)),
    connection: {
      application_name: application,
      TimeZone: "UTC",
      // Planning a statement again for each set of values costs more than running it (public
      // timeline: 0.5 ms against 0.14). A pooler refuses settings that it does not know.
      ...(!isPooled && { plan_cache_mode: "force_generic_plan" }),
      ...(!isPooled && lockTimeout > 0 && { lock_timeout: lockTimeout }),
    },
  });

/** Opens a pool. Prepared statements are on, so that every query is planned once per connection. */
export const connect = (url: string, options: Options): Sql => {
  const direct = options.direct ?? null;
  const pool = open(url, options, options.isPooled ?? direct !== null);
  const application = `${options.application} session`;
  const session = { ...options, max: 1, idle: 0, application, lockTimeout: 0 };
  const sql = withSession(pool, (hooks) => open(direct ?? url, session, false, hooks));
  const bounded = boundEachAsker(spareConnection(sql, options.max), options.max);
  return trackCommits(endLostTransactions(bounded));
};

/**
 * Learns new array types, for a pool that was used before migrations; it could not send arrays of these types
 * otherwise.
 */
export const learnTypes = async (sql: Sql): Promise<void> => {
  await Promise.all([learnArrayTypes(sql), learnArrayTypes(sessionOf(sql).sql)]);
};

const startFault = (error: NodeJS.ErrnoException, shown: string): ConfigError => {
  const hint: Record<string, string> = {
    ECONNREFUSED: "the connection was refused: start PostgreSQL or correct DATABASE_URL",
    ENOTFOUND: "the host was not found: correct DATABASE_URL",
    "28P01": "the password is wrong: correct DATABASE_URL",
    "28000": "the user is not allowed to connect: correct DATABASE_URL",
    "3D000": "the database does not exist: create it first",
    CONNECT_TIMEOUT: "it did not respond in time: start PostgreSQL or correct DATABASE_URL",
  };
  const reason = hint[error.code ?? ""] ?? reasonOf(error);
  return new ConfigError(`The database ${shown} cannot be used: ${reason}.`);
};

/** Checks that the database answers, is new enough, and is not half of a backup; throws ConfigError otherwise. */
export const checkDatabase = async (sql: Sql, url: string): Promise<void> => {
  const shown = url.replace(/\/\/[^@/]*@/, "//");
  let version: number;
  let isUnfinished: boolean;
  try {
    const [row] = await sql<{ version: number; unfinished: boolean }[]>`
      SELECT current_setting('server_version_num')::int AS version,
        to_regclass('restore_unfinished') IS NOT NULL AS unfinished
    `;
    version = row!.version;
    isUnfinished = row!.unfinished;
  } catch (error) {
    throw startFault(error as NodeJS.ErrnoException, shown);
  }
  if (version < 150_000) {
    throw new ConfigError(
      `The database ${shown} is PostgreSQL ${Math.floor(version / 10_000)}; Rookery requires version 15 or newer.`,
    );
  }
  refuseUnfinishedDatabase(isUnfinished, shown);
};

/** Returns the PostgreSQL error code (SQLSTATE) of an error, or null. */
export const sqlState = (error: unknown): string | null =>
  error instanceof postgres.PostgresError ? error.code : null;

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === "23505";

/** Whether a statement waited for a lock for longer than its pool allows. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === "55P03";

/** Whether a statement was cancelled because it took too long. */
export const isCancelled = (error: unknown): boolean => sqlState(error) === "57014";

/**
 * Returns the result of `ask`, which only reads; null when one of its statements took longer than `ms` and was
 * cancelled.
 */
export const within = async <T>(
  sql: Sql,
  ms: number,
  ask: (tx: Tx) => PromiseLike<T>,
): Promise<T | null> => {
  try {
    const { result } = await sql.begin("read only", async (tx) => {
      await tx`SELECT set_config('statement_timeout', ${String(ms)}, true)`;
      return { result: await ask(tx) };
    });
    return result;
  } catch (error) {
    if (isCancelled(error)) return null;
    throw error;
  }
};
