// Short-lived values: rate limits and caches. What must last is in PostgreSQL.

/** Lives (`ttlSeconds`, also fractions) of 0 and less keep nothing. */
export type Kv = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Sets only when absent; true when it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>;
  /** Adds to a counter whose life of `ttlSeconds` starts with its first use. */
  increment(key: string, by: number, ttlSeconds: number): Promise<number>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
};
