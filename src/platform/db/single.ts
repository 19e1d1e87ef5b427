// Allows one server process per database, because feeds and pubsub are in memory: an advisory lock on a
// connection of its own.

import { ConfigError } from "../errors.ts";
import type { Sql } from "./index.ts";

const LOCK = 7_266_534; // an arbitrary number that only servers use

/** Takes the lock; the result releases it. ConfigError when another process has it. */
export const holdDatabase = async (sql: Sql): Promise<() => Promise<void>> => {
  const connection = await sql.reserve();
  const [row] = await connection<{ free: boolean }[]>`SELECT pg_try_advisory_lock(${LOCK}) AS free`;
  if (!row!.free) {
    connection.release();
    throw new ConfigError(
      "Another Rookery process is using this database, and running several requires Valkey or Redis: stop the other one first.",
    );
  }
  return async () => {
    await connection`SELECT pg_advisory_unlock(${LOCK})`;
    connection.release();
  };
};
