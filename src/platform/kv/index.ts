// Short-lived values: rate limits and caches. What must last is in PostgreSQL.

/** With a `ttlSeconds` (which may be a fraction) of 0 or less nothing is stored. */
export type Kv = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Sets only when absent; true when it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>;
  /** Adds to a counter, which expires `ttlSeconds` after its first use. */
  increment(key: string, by: number, ttlSeconds: number): Promise<number>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
};
