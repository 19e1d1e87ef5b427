// A transaction whose connection is lost is over. The driver would still send what comes next (the
// ROLLBACK, a COMMIT, another statement) on that connection, which may by then be somebody else's: the
// answers would go to the wrong statements. So nothing more is sent.

import type { Sql, Tx } from "./types.ts";

const LOST = new Set(["CONNECTION_CLOSED", "CONNECTION_DESTROYED", "ECONNRESET", "EPIPE"]);

/** After an error of this severity the server closes the connection. */
const isFatal = (error: Error): boolean =>
  /^(?:FATAL|PANIC)$/.test(String((error as { severity?: unknown }).severity));

/** Whether the error says that the connection is gone, so that the driver will notice its end. */
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  (LOST.has((error as NodeJS.ErrnoException).code ?? "") || isFatal(error));

/** A promise that stays open: the driver waits for it in vain, and rejects the transaction by itself. */
const never = (): Promise<never> => new Promise(() => {});

type Call = (...args: unknown[]) => unknown;

/** The same handle; its statements fail once `isOver` says so. */
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
