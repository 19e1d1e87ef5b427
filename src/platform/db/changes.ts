// Which records changed, told in this process when the change is committed: for caches. The functions
// that write note what they change; a transaction that rolls back tells nothing.

import type { Db, Sql, Tx } from "./index.ts";

/** `status:ID`, `account:ID`; `all`: whatever is kept may be wrong. */
export type ChangeKey = `${string}:${string}` | "all";
export type ChangeListener = (keys: ReadonlySet<ChangeKey>) => void;

/** Hears that a transaction is changing the record (true), and that it has ended (false). */
export type HoldListener = (key: ChangeKey, held: boolean) => void;
type Noted = { sql: object; keys: Set<ChangeKey> };

/** Checks, in tests, that what is written is also invalidated (test/invalidation.ts). */
export type Observer = {
  /** Before the commit of each transaction; `keys` are those that it noted. */
  beforeCommit(tx: Tx, keys: ReadonlySet<ChangeKey>): Promise<void>;
  /** What is noted outside a transaction. */
  atOnce(keys: readonly ChangeKey[]): void;
};

const observers = new WeakMap<object, Observer>();

export const observeChanges = (sql: Sql, observer: Observer): void =>
  void observers.set(sql, observer);

const listeners = new WeakMap<object, Set<ChangeListener>>();
/** By the kind of their records: most kinds are of no concern to a change. */
const holders = new WeakMap<object, Map<string, Set<HoldListener>>>();
/** A transaction's connection → what it has changed so far. */
const pending = new WeakMap<object, Noted>();

const counts = new WeakMap<object, number>();

/** How often a change was told so far: the same before and after a read, and none overtook it. */
export const changeCount = (sql: Sql): number => counts.get(sql) ?? 0;

const tell = (sql: object, keys: ReadonlySet<ChangeKey>): void => {
  counts.set(sql, (counts.get(sql) ?? 0) + 1);
  for (const listener of listeners.get(sql) ?? []) listener(keys);
};

const kindOf = (key: string): string => key.slice(0, key.indexOf(":"));

const hold = ({ sql }: Noted, key: ChangeKey, held: boolean): void => {
  const heard = holders.get(sql);
  if (!heard) return;
  const concerned = key === "all" ? heard.values() : [heard.get(kindOf(key)) ?? []];
  for (const listeners of concerned) for (const listener of listeners) listener(key, held);
};

/** Notes a change made through `db`: told after its commit, or at once outside a transaction. */
export const changed = (db: Db, ...keys: ChangeKey[]): void => {
  const noted = pending.get(db);
  if (!noted) {
    observers.get(db)?.atOnce(keys);
    return tell(db, new Set(keys));
  }
  for (const key of keys) {
    if (noted.keys.has(key)) continue;
    noted.keys.add(key);
    hold(noted, key, true);
  }
};

/** Hears of every committed change of this process. */
export const onChange = (sql: Sql, listener: ChangeListener): void => {
  const heard = listeners.get(sql) ?? new Set();
  listeners.set(sql, heard.add(listener));
};

/**
 * Hears of every record of a kind (and of `all`) that a transaction of this process notes as changed,
 * from the note to its end:
 * between the commit and the telling a job that follows from it may already run.
 */
export const onHold = (sql: Sql, kind: string, listener: HoldListener): void => {
  const heard = holders.get(sql) ?? new Map<string, Set<HoldListener>>();
  holders.set(sql, heard.set(kind, (heard.get(kind) ?? new Set()).add(listener)));
};

/** Makes the pool's transactions tell what they changed, once they are committed. */
export const tellChanges = (sql: Sql): Sql => {
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const telling = async (...args: unknown[]): Promise<unknown> => {
    const work = args.pop() as (tx: Tx) => unknown;
    const noted: Noted = { sql, keys: new Set() };
    try {
      const result = await begin(...args, async (tx: Tx) => {
        pending.set(tx, noted);
        const given = await work(tx);
        await observers.get(sql)?.beforeCommit(tx, noted.keys);
        return given;
      });
      if (noted.keys.size > 0) tell(sql, noted.keys);
      return result;
    } finally {
      for (const key of noted.keys) hold(noted, key, false);
    }
  };
  sql.begin = telling as typeof sql.begin;
  return sql;
};
