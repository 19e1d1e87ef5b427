// Records cached as they were last read until they are invalidated (invalidate.ts).

import { LRUCache } from "lru-cache";
import { onInvalidate, onHold } from "./invalidate.ts";
import type { Sql } from "./index.ts";

export type KeptRecords<T extends object> = {
  get(id: string): T | undefined;
  /** The moment to give to `put`: taken before the read begins. */
  now(): number;
  /** Keeps what was read, unless a change overtook the read. */
  put(id: string, value: T, readAt: number): void;
};

/**
 * A map that forgets what was not asked for since half of it was filled anew. A list of what was used
 * when, as LRUCache keeps it, takes 5 % of a page of 20 statuses.
 */
class Generations<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();
  #half: number;
  #weigh: (value: T) => number;
  /** Of the young. */
  #weight = 0;

  constructor(max: number, weigh: (value: T) => number) {
    this.#half = Math.ceil(max / 2);
    this.#weigh = weigh;
  }

  get(id: string): T | undefined {
    const young = this.#young.get(id);
    if (young !== undefined) return young;
    const old = this.#old.get(id);
    if (old !== undefined) this.set(id, old);
    return old;
  }

  set(id: string, value: T): void {
    if (this.#weight >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.delete(id);
    this.#young.set(id, value);
    this.#weight += this.#weigh(value);
  }

  delete(id: string): void {
    const young = this.#young.get(id);
    if (young !== undefined) this.#weight -= this.#weigh(young);
    this.#young.delete(id);
    this.#old.delete(id);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#weight = 0;
  }
}

/** What open transactions are changing: by key, how many do. */
const heldKeys = (sql: Sql, kind: string) => {
  const prefix = `${kind}:`;
  const held = new Map<string, number>();
  onHold(sql, kind, (key, begins) => {
    const many = (held.get(key) ?? 0) + (begins ? 1 : -1);
    if (many > 0) held.set(key, many);
    else held.delete(key);
  });
  return (id: string): boolean => held.size > 0 && (held.has(prefix + id) || held.has("all"));
};

/** Longer than any read takes at the worst: 50,000 changes later a read is long done. */
const MAX_CHANGES = 50_000;

/**
 * Records of one kind (`status`, `account`): those whose change is told as `KIND:ID`, or as `all`.
 * `max`: of their weights together.
 */
export const keepRecords = <T extends object>(
  sql: Sql,
  kind: string,
  max: number,
  weigh: (value: T) => number = () => 1,
): KeptRecords<T> => {
  const kept = new Generations<T>(max, weigh);
  /** When each last invalidate, in ticks: what was read before that is not kept. */
  const changedAt = new LRUCache<string, number>({ max: MAX_CHANGES });
  const prefix = `${kind}:`;
  const isHeld = heldKeys(sql, kind);
  let tick = 0;
  let allChangedAt = 0;
  onInvalidate(sql, (keys) => {
    tick += 1;
    for (const key of keys) {
      if (key === "all") {
        allChangedAt = tick;
        kept.clear();
      } else if (key.startsWith(prefix)) {
        const id = key.slice(prefix.length);
        changedAt.set(id, tick);
        kept.delete(id);
      }
    }
  });
  return {
    get: (id) => (isHeld(id) ? undefined : kept.get(id)),
    now: () => tick,
    put(id, value, readAt) {
      if (isHeld(id)) return;
      if (allChangedAt <= readAt && (changedAt.get(id) ?? 0) <= readAt) kept.set(id, value);
    },
  };
};
