// Registers everything that a process holds in memory: every cache, queue, batcher and single-flight, with its figures
// and its share of the memory for caches (CACHE_MB), which some caches lend each other. Nothing that belongs to an App
// is held elsewhere (docs/design/caches.md).

export type Member = {
  /** Bytes that no other member may take. */
  share: number;
  bytes(): number;
  /** Examines one entry and drops it if nobody used it since the last time. */
  squeeze(): void;
};

/**
 * Memory that several caches share. Each has a guaranteed share, and may use what the others leave free. When the pool
 * is full, the caches that exceed their share drop unused entries in turn.
 */
export class Pool {
  readonly limit: number;
  #used = 0;
  #members: Member[] = [];
  #turn = 0;

  /** `limit` bounds the bytes of all members together, and is at least the sum of their shares. */
  constructor(limit: number) {
    this.limit = limit;
  }

  join(member: Member): void {
    this.#members.push(member);
  }

  /** Records that a member holds so many bytes less. */
  free(bytes: number): void {
    this.#used -= bytes;
  }

  /**
   * Records that a member holds so many bytes more. While the limit is exceeded, some member exceeds its share and is
   * squeezed.
   */
  take(bytes: number): void {
    this.#used += bytes;
    while (this.#used > this.limit) {
      this.#turn = (this.#turn + 1) % this.#members.length;
      const member = this.#members[this.#turn]!;
      if (member.bytes() > member.share) member.squeeze();
    }
  }
}

/** The memory of a cache: its share, and the pool that it belongs to; null gives it a pool of its own. */
export type Room = { share: number; pool: Pool | null };

export type InMemory = {
  /** Number of entries; for a queue or a single-flight, of waiting and running work. */
  entries(): number;
  /** Estimated bytes, including what is derived from the entries. */
  bytes?(): number;
  hits?: number;
  misses?: number;
  /** Removes everything that can be read again. */
  clear?(): void;
  /** Called every AGE_MS: drops entries that are older than the previous call. */
  age?(): void;
};

/** The name identifies what `make` creates; `T` is its type. */
export type Definition<T extends InMemory> = { name: string; make: (...by: never[]) => T };

export type Figures = {
  name: string;
  entries: number;
  bytes: number;
  /** Bytes of its share; a pooled cache may also use what the others leave free. 0: not bounded in bytes. */
  maxBytes: number;
  hits: number;
  misses: number;
};

/**
 * Milliseconds between calls of `age`. An entry lives at most two of them, in case an invalidation is missed, and no
 * read looks at a clock.
 */
const AGE_MS = 30_000;

export type Caches = ReturnType<typeof createCaches>;

/**
 * `shares` maps names to percentages of the memory; a cache without one is refused. The caches in `pooled` lend each
 * other memory.
 */
export const createCaches = (
  megabytes: number,
  shares: Readonly<Record<string, number>>,
  pooled: ReadonlySet<string> = new Set(),
) => {
  const caches = new Map<Definition<never>, InMemory>();
  const byName = new Map<string, InMemory>();
  const age = () => {
    for (const cache of byName.values()) cache.age?.();
  };
  const timer = setInterval(age, AGE_MS).unref();
  const budget = (name: string): number => {
    const share = shares[name];
    if (share === undefined) throw new Error(`The cache "${name}" has no share of the memory`);
    return Math.floor((share * megabytes * 1024 * 1024) / 100);
  };
  const pool = new Pool([...pooled].reduce((sum, name) => sum + budget(name), 0));
  const register = <T extends InMemory>(name: string, cache: T): T => {
    if (byName.has(name)) throw new Error(`Two things in memory are called "${name}"`);
    byName.set(name, cache);
    return cache;
  };
  return {
    /** Returns the maximum bytes of the cache with this name. */
    budget,
    room: (name: string): Room => ({
      share: budget(name),
      pool: pooled.has(name) ? pool : null,
    }),
    register,
    /** Returns what was made by this definition, or undefined if nothing was. */
    find: <T extends InMemory>(definition: Definition<T>): T | undefined =>
      caches.get(definition as Definition<never>) as T | undefined,
    add<T extends InMemory>(definition: Definition<T>, cache: T): T {
      caches.set(definition as Definition<never>, register(definition.name, cache));
      return cache;
    },
    figures: (): Figures[] =>
      [...byName].map(([name, cache]) => ({
        name,
        entries: cache.entries(),
        bytes: cache.bytes?.() ?? 0,
        maxBytes: shares[name] === undefined ? 0 : budget(name),
        hits: cache.hits ?? 0,
        misses: cache.misses ?? 0,
      })),
    clear(): void {
      for (const cache of byName.values()) cache.clear?.();
    },
    age,
    close: () => clearInterval(timer),
  };
};
