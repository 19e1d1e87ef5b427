// Which records changed, told in this process when the change is committed: for caches. The functions
// that write note what they change; a transaction that rolls back tells nothing.

import type { Db, Sql } from "./index.ts";

/** `status:ID`, `account:ID`; `all`: whatever is kept may be wrong. */
export type ChangeKey = `${string}:${string}` | "all";
export type ChangeListener = (keys: ReadonlySet<ChangeKey>) => void;

const listeners = new WeakMap<object, Set<ChangeListener>>();
/** A transaction's connection → what it has changed so far. */
const pending = new WeakMap<object, Set<ChangeKey>>();

const counts = new WeakMap<object, number>();

/** How often a change was told so far: the same before and after a read, and none overtook it. */
export const changeCount = (sql: Sql): number => counts.get(sql) ?? 0;

const tell = (sql: object, keys: ReadonlySet<ChangeKey>): void => {
  counts.set(sql, (counts.get(sql) ?? 0) + 1);
  for (const listener of listeners.get(sql) ?? []) listener(keys);
};

/** Notes a change made through `db`: told after its commit, or at once outside a transaction. */
export const changed = (db: Db, ...keys: ChangeKey[]): void => {
  const noted = pending.get(db);
  if (noted) for (const key of keys) noted.add(key);
  else tell(db, new Set(keys));
};

/** Hears of every committed change of this process. */
export const onChange = (sql: Sql, listener: ChangeListener): void => {
  const heard = listeners.get(sql) ?? new Set();
  listeners.set(sql, heard.add(listener));
};

/** Makes the pool's transactions tell what they changed, once they are committed. */
export const tellChanges = (sql: Sql): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const telling = async (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as (tx: object) => unknown;
    const keys = new Set<ChangeKey>();
    const result = await begin(...args, (tx: object) => {
      pending.set(tx, keys);
      return work(tx);
    });
    if (keys.size > 0) tell(sql, keys);
    return result;
  };
  sql.begin = telling as typeof sql.begin;
  return sql;
};
