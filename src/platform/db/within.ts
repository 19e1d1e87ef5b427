// Asking the database with an end to its patience, where an answer in part is better than none.

import { sqlState } from "./index.ts";
import type { Sql, Tx } from "./index.ts";

/** SQLSTATE of a statement that was cancelled. */
const CANCELLED = "57014";

/** What `ask` finds; null when one of its statements took longer than `ms`, which ends it. */
export const within = async <T>(
  sql: Sql,
  ms: number,
  ask: (tx: Tx) => PromiseLike<T>,
): Promise<T | null> => {
  try {
    const { found } = await sql.begin(async (tx) => {
      await tx`SELECT set_config('statement_timeout', ${String(ms)}, true)`;
      return { found: await ask(tx) };
    });
    return found;
  } catch (error) {
    if (sqlState(error) === CANCELLED) return null;
    throw error;
  }
};
