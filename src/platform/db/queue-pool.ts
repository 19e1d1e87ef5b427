// The connections of graphile-worker, which has its own driver. It would open a pool for each of its workers, and would
// still be closing it when they have stopped (docs/design/foundations.md).

import { EventEmitter } from "node:events";
import { Pool } from "pg";
import type { ClientBase, PoolClient, PoolConfig } from "pg";
import { hostAddresses } from "./hosts.ts";
import type { Sql } from "./types.ts";

/**
 * Ignores errors of idle connections: errors of statements are thrown by these, and a connection that ends while idle
 * has left the pool.
 */
const ignore = (): void => undefined;

const faultOfHost = async (client: ClientBase): Promise<Error | undefined> => {
  try {
    const { rows } = await client.query<{ is: boolean }>("SELECT pg_is_in_recovery() AS is");
    return rows[0]!.is ? new Error("This host of the database is a replica") : undefined;
  } catch (error) {
    return error as Error;
  }
};

/** Checks each new connection. */
const verify = async (client: ClientBase, done: (error?: Error) => void): Promise<void> =>
  done(await faultOfHost(client));

type Done = (error?: unknown, client?: PoolClient, release?: PoolClient["release"]) => void;

/**
 * Opens a pool on the primary. This driver connects to one host, so each is tried, beginning with the one that was the
 * primary last.
 */
const openPrimaryPool = (addresses: string[], max: number): Pool => {
  const options = { connectionString: addresses[0]!, max, verify };
  const pool = new Pool(options as PoolConfig) as Pool & { options: PoolConfig };
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  const tryAll = async (): Promise<PoolClient> => {
    for (let left = addresses.length; ; left -= 1) {
      const address = pool.options.connectionString!;
      try {
        return await connect();
      } catch (error) {
        const next = addresses.indexOf(address) + 1;
        pool.options.connectionString = addresses[next % addresses.length]!;
        if (left === 1) throw error;
      }
    }
  };
  const answer = async (done: Done): Promise<void> => {
    let client: PoolClient;
    try {
      client = await tryAll();
    } catch (error) {
      return done(error);
    }
    done(undefined, client, client.release);
  };
  const connectAny = (done?: Done) => (done ? void answer(done) : tryAll());
  pool.connect = connectAny as Pool["connect"];
  return pool;
};

/** Opens a pool of at most `max` connections; the caller awaits `end()`. */
export const openQueuePool = (url: string, max: number): Pool => {
  const addresses = hostAddresses(url);
  const pool =
    addresses.length > 1
      ? openPrimaryPool(addresses, max)
      : new Pool({ connectionString: url, max });
  pool.on("error", ignore);
  pool.on("connect", (client) => client.on("error", ignore));
  return pool;
};

/** Replaces the connection by which graphile-worker listens: the session of the process receives the notifications. */
class Listening extends EventEmitter {
  readonly #sql: Sql;
  #ends: (() => Promise<unknown>)[] = [];

  constructor(sql: Sql) {
    super();
    this.#sql = sql;
  }

  /** Runs `LISTEN "a"; LISTEN "b";`, or the same with UNLISTEN, which ends both. */
  async query(text: string): Promise<void> {
    if (text.startsWith("UNLISTEN")) {
      await Promise.all(this.#ends.splice(0).map((end) => end()));
      return;
    }
    const channels = [...text.matchAll(/LISTEN "([^"]+)"/g)].map(([, channel]) => channel!);
    const listens = channels.map((channel) =>
      this.#sql.listen(channel, (payload) => this.emit("notification", { channel, payload })),
    );
    this.#ends = (await Promise.all(listens)).map(({ unlisten }) => unlisten);
  }
}

/**
 * Returns the pool without connections for listening, of which each of graphile-worker's workers would keep one. Only
 * the request for that connection has a callback.
 */
export const listeningBy = (sql: Sql, pool: Pool): Pool => {
  const connect = (done?: Done) =>
    done ? done(undefined, new Listening(sql) as unknown as PoolClient, () => {}) : pool.connect();
  return new Proxy(pool, {
    get(_pool, name) {
      if (name === "connect") return connect;
      const value: unknown = Reflect.get(pool, name);
      return typeof value === "function" ? value.bind(pool) : value;
    },
  });
};
