// Stores short-lived values: rate limits and caches. What must last is in PostgreSQL.

/** A `ttlSeconds` (which may be a fraction) of 0 or less stores nothing. */
export type Kv = {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlSeconds: number): Promise<void>;
  /** Sets only when the key is absent; returns whether it did. */
  add(key: string, value: string, ttlSeconds: number): Promise<boolean>;
  /** Adds to a counter, which expires `ttlSeconds` after its first use; returns the new value. */
  increment(key: string, by: number, ttlSeconds: number): Promise<number>;
  delete(key: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * What a counter counts. Each kind has its own space, so that counters of one kind, however many, never evict those of
 * another.
 */
export type CounterKind =
  /** A person of this server. There are as many as people, and none is evicted before it expires. */
  | "person"
  /** Text that a stranger entered as a name or email address. */
  | "login"
  /** An IP address, where passwords, codes, links and mails are counted. */
  | "address"
  /** A requester of the API. */
  | "request";

export type Counters = Readonly<Record<CounterKind, Kv>>;
