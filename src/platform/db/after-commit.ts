// Hooks that run after a transaction has committed, and never when it rolls back.

import type { Db, Sql } from "./types.ts";

type Hook = () => void;

/** A transaction's connection → the hooks that run after its commit. */
const hooks = new WeakMap<object, Hook[]>();

/** Runs `hook` after the commit of `db`'s transaction, or at once outside of one. */
export const afterCommit = (db: Db, hook: Hook): void => {
  const waiting = hooks.get(db);
  if (waiting) waiting.push(hook);
  else hook();
};

/** Makes the pool's transactions run their hooks. */
export const runCommitHooks = (sql: Sql): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const hooked = async (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as (tx: object) => unknown;
    const waiting: Hook[] = [];
    const result = await begin(...args, (tx: object) => {
      hooks.set(tx, waiting);
      return work(tx);
    });
    for (const hook of waiting) hook();
    return result;
  };
  sql.begin = hooked as typeof sql.begin;
  return sql;
};
