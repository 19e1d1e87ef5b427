// Runs what follows from a commit, and never from a transaction that rolls back: hooks, and invalidation. SQL that
// writes rows names the cache keys of what it changes, and once the transaction has committed everything cached under
// them is dropped. Nothing else changes caches: with several processes the keys are passed on, and those of others are
// received (platform/redis/cache-sync.ts).

import type { Db, Sql, Tx } from "./types.ts";

/** A key such as `status:ID` or `account:ID`. */
export type CacheKey = `${string}:${string}`;
/** Key of everything that is cached, for rare changes that affect a part of everything. */
export const EVERYTHING: CacheKey = "everything:";
type InvalidationListener = (keys: ReadonlySet<CacheKey>) => void;
/** `id` is the part of the key after its kind. */
type KindListener = (id: string, key: CacheKey) => void;

/** Observer for tests, which check that what is written is also invalidated (test/invalidation.ts). */
type InvalidationObserver = {
  /** Called before the commit of each transaction, with the keys that it invalidates. */
  beforeCommit(tx: Tx, keys: ReadonlySet<CacheKey>): void;
  /** Called with the keys that are invalidated outside a transaction. */
  atOnce(keys: readonly CacheKey[]): void;
};

type Pool = {
  listeners: Set<InvalidationListener>;
  ofKind: Map<string, Set<KindListener>>;
  /** Number of invalidations. */
  count: number;
  observer: InvalidationObserver | null;
  /** Sends keys to other processes. */
  share: InvalidationListener | null;
};
type Hook = () => void;
/** Called after a commit, before its keys are dropped; the hook that it returns is called after that. */
type Change = (timesOf: (key: CacheKey) => number) => Hook;
/** `keys` counts by how many calls of `invalidate` each key was named. */
type Transaction = { pool: Pool; keys: Map<CacheKey, number>; changes: Change[] };

const pools = new WeakMap<object, Pool>();
/** The open transactions. */
const transactions = new WeakMap<object, Transaction>();

const poolOf = (db: object): Pool => {
  const pool = pools.get(db);
  if (pool) return pool;
  throw new Error("Neither a pool made by connect() nor an open transaction of one");
};

const drop = (pool: Pool, keys: ReadonlySet<CacheKey>): void => {
  if (keys.size === 0) return;
  pool.count += 1;
  for (const listener of pool.listeners) listener(keys);
  for (const key of keys) {
    const end = key.indexOf(":");
    const concerned = pool.ofKind.get(key.slice(0, end));
    if (concerned) for (const listener of concerned) listener(key.slice(end + 1), key);
  }
};

const publish = (pool: Pool, keys: ReadonlySet<CacheKey>): void => {
  drop(pool, keys);
  if (keys.size > 0) pool.share?.(keys);
};

/**
 * Drops what is cached under the keys: after the commit when `db` is a transaction, at once when it is the pool (so
 * call it after the statement that wrote). Throws for any other handle.
 */
export const invalidate = (db: Db, ...keys: CacheKey[]): void => {
  const transaction = transactions.get(db);
  if (!transaction) {
    const pool = poolOf(db);
    pool.observer?.atOnce(keys);
    return publish(pool, new Set(keys));
  }
  const { keys: named } = transaction;
  for (const key of new Set(keys)) named.set(key, (named.get(key) ?? 0) + 1);
};

/** Lets a cache keep what the transaction of `db` changes in a known way. */
export const onCommit = (db: Db, change: Change): void =>
  void transactions.get(db)?.changes.push(change);

/** Runs `hook` after the commit of `db`'s transaction, or at once outside of one. */
export const afterCommit = (db: Db, hook: Hook): void => {
  if (transactions.has(db)) onCommit(db, () => hook);
  else hook();
};

/** Drops what another process has invalidated. */
export const receiveInvalidations = (sql: Sql, keys: CacheKey[]): void => {
  const pool = poolOf(sql);
  pool.observer?.atOnce(keys);
  drop(pool, new Set(keys));
};

/** Passes the keys of every commit of this process on to others. */
export const onShare = (sql: Sql, share: InvalidationListener): void =>
  void (poolOf(sql).share = share);

/** Calls the listener with the keys of every commit of this process, and with those of others. */
export const onInvalidate = (sql: Sql, listener: InvalidationListener): void =>
  void poolOf(sql).listeners.add(listener);

/** Calls the listener for keys of these kinds, one by one. */
export const onInvalidateKinds = (sql: Sql, kinds: string[], listener: KindListener): void => {
  const { ofKind } = poolOf(sql);
  for (const kind of kinds) ofKind.set(kind, (ofKind.get(kind) ?? new Set()).add(listener));
};

/** Calls the listener for this key. */
export const onInvalidateKey = (sql: Sql, key: CacheKey, listener: () => void): void =>
  onInvalidateKinds(sql, [key.slice(0, key.indexOf(":"))], (_id, invalidated) => {
    if (invalidated === key) listener();
  });

/**
 * Returns the number of invalidations: if it is the same before and after a read, nothing was invalidated meanwhile.
 */
export const invalidationCount = (sql: Sql): number => poolOf(sql).count;

export const observeInvalidation = (sql: Sql, observer: InvalidationObserver): void => {
  poolOf(sql).observer = observer;
};

const runObserved = async (
  transaction: Transaction,
  tx: Tx,
  work: (tx: Tx) => unknown,
): Promise<unknown> => {
  transactions.set(tx, transaction);
  try {
    const result = await work(tx);
    transaction.pool.observer?.beforeCommit(tx, new Set(transaction.keys.keys()));
    return result;
  } finally {
    // Code that still runs afterwards must not use the transaction.
    transactions.delete(tx);
  }
};

/** Makes `invalidate` treat another handle of a pool like that pool. */
export const shareInvalidation = (handle: Sql, sql: Sql): void =>
  void pools.set(handle, poolOf(sql));

/** Registers a pool, and the transactions that are begun on it, with `invalidate` and `afterCommit`. */
export const trackCommits = (sql: Sql): Sql => {
  const pool: Pool = {
    listeners: new Set(),
    ofKind: new Map(),
    count: 0,
    observer: null,
    share: null,
  };
  pools.set(sql, pool);
  const begin = sql.begin.bind(sql) as (...args: unknown[]) => Promise<unknown>;
  const tracking = async (...args: unknown[]): Promise<unknown> => {
    if (args[0] === "read only") return begin(...args);
    const work = args.pop() as (tx: Tx) => unknown;
    const transaction: Transaction = { pool, keys: new Map(), changes: [] };
    const result = await begin(...args, (tx: Tx) => runObserved(transaction, tx, work));
    const { keys, changes } = transaction;
    const hooks = changes.map((change) => change((key) => keys.get(key) ?? 0));
    publish(pool, new Set(keys.keys()));
    for (const hook of hooks) hook();
    return result;
  };
  sql.begin = tracking as typeof sql.begin;
  return sql;
};
