// A cache that is bounded in bytes and in time. For time it has two generations instead of a clock: each call of `age`
// drops the older and begins a new one. For bytes a pool (register.ts) evicts entries that were not used since the
// clock hand last passed them, oldest first. (An LRU list took 5 % of the time of a page of 20 statuses.) `sizeOf`
// estimates the bytes that a value takes.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";
import type { InMemory, Member, Room } from "./register.ts";
import { Pool } from "./register.ts";

type Entry<T> = { value: T; bytes: number; isUsed: boolean };

/** Bytes that the map itself uses for an entry. */
const ENTRY_BYTES = 80;
/**
 * Part of the share (or of the pool, where that is more) that one entry may take; a larger one is not cached, as it
 * would evict many others.
 */
const MAX_OF_SHARE = 1 / 8;
const MAX_OF_POOL = 1 / 32;

export class BoundedCache<T> implements InMemory, Member {
  hits = 0;
  misses = 0;
  /** Number of entries that were evicted for lack of memory. */
  evictions = 0;
  readonly share: number;
  #young = new Map<string, Entry<T>>();
  #old = new Map<string, Entry<T>>();
  #youngBytes = 0;
  #oldBytes = 0;
  /** The clock hand: an iterator over the old generation, at the entry that is examined next when one has to go. */
  #hand = this.#old.entries();
  #pool: Pool;
  #maxEntry: number;
  #size: (value: T) => number;

  /** `size` returns the bytes of a value, including what will be derived from it. */
  constructor({ share, pool }: Room, size: (value: T) => number, maxEntry = Infinity) {
    this.share = share;
    this.#pool = pool ?? new Pool(share);
    const most = Math.max(share * MAX_OF_SHARE, this.#pool.limit * MAX_OF_POOL);
    this.#maxEntry = Math.min(maxEntry, most);
    this.#size = size;
    this.#pool.join(this);
  }

  get(id: string): T | undefined {
    const entry = this.#young.get(id) ?? this.#old.get(id);
    if (entry === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    entry.isUsed = true;
    return entry.value;
  }

  /** Returns a value only if it was cached since the current generation began. */
  young(id: string): T | undefined {
    return this.#young.get(id)?.value;
  }

  set(id: string, value: T): void {
    this.delete(id);
    const bytes = ENTRY_BYTES + id.length + this.#size(value);
    if (bytes > this.#maxEntry) return;
    this.#young.set(id, { value, bytes, isUsed: true });
    this.#youngBytes += bytes;
    this.#pool.take(bytes);
  }

  /** Adds bytes to the size of an entry after something was derived from its value. */
  grow(id: string, bytes: number): void {
    const young = this.#young.get(id);
    const entry = young ?? this.#old.get(id);
    if (!entry) return;
    entry.bytes += bytes;
    if (young) this.#youngBytes += bytes;
    else this.#oldBytes += bytes;
    this.#pool.take(bytes);
    if (entry.bytes > this.#maxEntry) this.delete(id);
  }

  /** Replaces the value of an entry, which keeps its age and its size. */
  replace(id: string, change: (value: T) => T): void {
    const entry = this.#young.get(id) ?? this.#old.get(id);
    if (entry) entry.value = change(entry.value);
  }

  /** Moves the hand on by one entry and drops it if it was not used since the hand last passed it. */
  squeeze(): void {
    let next = this.#hand.next();
    if (next.done) {
      if (this.#old.size === 0) this.age();
      this.#hand = this.#old.entries();
      next = this.#hand.next();
    }
    if (next.done) return;
    const [id, entry] = next.value;
    if (entry.isUsed) {
      entry.isUsed = false;
      return;
    }
    this.evictions += 1;
    this.delete(id);
  }

  delete(id: string): void {
    const young = this.#young.get(id);
    if (young) {
      this.#young.delete(id);
      this.#youngBytes -= young.bytes;
      this.#pool.free(young.bytes);
    }
    const old = this.#old.get(id);
    if (!old) return;
    this.#old.delete(id);
    this.#oldBytes -= old.bytes;
    this.#pool.free(old.bytes);
  }

  age(): void {
    const dropped = this.#oldBytes;
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#hand = this.#old.entries();
    this.#young = new Map();
    this.#youngBytes = 0;
    this.#pool.free(dropped);
  }

  clear(): void {
    this.age();
    this.age();
  }

  entries(): number {
    return this.#young.size + this.#old.size;
  }

  bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  *values(): Iterable<[string, T]> {
    for (const map of [this.#old, this.#young]) {
      for (const [id, { value }] of map) yield [id, value];
    }
  }
}

/** Returns a cache for each App, with the share of memory of this name. */
export const boundedCache = <T>(
  name: string,
  size: (value: T) => number,
): ((app: App) => BoundedCache<T>) =>
  perApp(name, (app) => new BoundedCache(app.caches.room(name), size));

const WIDE = /[\u0100-\uffff]/;

/** Estimated bytes of a compiled regular expression for each character of its source. */
const COMPILED = 20;

const ofString = (text: string): number => 24 + (WIDE.test(text) ? 2 * text.length : text.length);

const ofObject = (value: object): number => {
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  if (value instanceof Date) return 56;
  if (value instanceof RegExp) return 200 + COMPILED * value.source.length;
  let bytes = 40;
  if (value instanceof Map) {
    for (const [key, item] of value) bytes += 24 + sizeOf(key) + sizeOf(item);
  } else if (value instanceof Set) {
    for (const item of value) bytes += 16 + sizeOf(item);
  } else if (Array.isArray(value)) {
    for (const item of value) bytes += sizeOf(item);
  } else {
    for (const name in value) bytes += sizeOf((value as Record<string, unknown>)[name]);
  }
  return bytes;
};

/** Estimates the bytes of a value with everything that it refers to, which must not be circular. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return 8 + ofString(value);
  if (typeof value === "bigint") return 32;
  if (typeof value === "object" && value !== null) return 8 + ofObject(value);
  return 8;
};
