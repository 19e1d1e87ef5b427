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

/**
 * Whose a counter is. Each kind has a space of its own, so that counters of one kind, however many, never push
 * out those of another.
 */
export type CounterKind =
  /** A person of this server: as many as there are people, and never forgotten before they expire. */
  | "person"
  /** What a stranger wrote where a name or email address belongs. */
  | "login"
  /** An IP address where passwords, codes, links and mails are counted. */
  | "address"
  /** A requester of the API. */
  | "request";

export type Counters = Readonly<Record<CounterKind, Kv>>;
