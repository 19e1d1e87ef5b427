// Ends a transaction whose connection is lost. The driver would still send the next statements (the ROLLBACK, a COMMIT,
// another one) on that connection, which may by then be used by others: the results would go to the wrong statements.
// So nothing more is sent.

import type { Sql, Tx } from "./types.ts";

const LOST = new Set(["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE"]);

/** Whether the server closes the connection after an error of this severity. */
const isFatal = (error: Error): boolean =>
  /^(?:FATAL|PANIC)$/.test(String((error as { severity?: unknown }).severity));

/** Whether the error says that the connection is gone, so that the driver will notice its end. */
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (LOST.has((error as NodeJS.ErrnoException).code ?? "") || isFatal(error));

/** Returns a promise that never resolves: the driver waits for it, and rejects the transaction by itself. */
const never = (): Promise<never> => new Promise(() => {});

type Call = (...args: unknown[]) => unknown;

/** Returns the handle with statements that fail once `isOver` returns true. */
const guarded = (tx: Tx, isOver: () => boolean): Tx => {
  const guard =
    (call: Call): Call =>
    (...args) => {
      if (isOver()) throw new Error("The connection of this transaction was lost");
      return call(...args);
    };
  const handle = guard(tx as unknown as Call);
  return Object.assign(handle, tx, { unsafe: guard(tx.unsafe as Call) }) as unknown as Tx;
};

/** Ends the pool's transactions with their connections. */
export const endLostTransactions = (sql: Sql): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const guarding = async (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as (tx: Tx) => unknown;
    let isOver = false;
    const run = async (tx: Tx): Promise<unknown> => {
      try {
        const result = await work(guarded(tx, () => isOver));
        return isOver ? never() : result;
      } catch (error) {
        if (isOver || isLost(error)) return never();
        throw error;
      }
    };
    try {
      return await begin(...args, run);
    } catch (error) {
      isOver = true;
      throw error;
    }
  };
  sql.begin = guarding as typeof sql.begin;
  return sql;
};
