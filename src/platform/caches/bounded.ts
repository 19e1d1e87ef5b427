// A cache that is bounded in bytes and in time, with two generations instead of a clock. A new generation
// begins when the young one has half of the memory and at every call of `age`; then the old one is
// dropped. (An LRU list took 5 % of the time of a page of 20 statuses.) And estimates of how many bytes a value takes
// in memory.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";
import type { InMemory } from "./index.ts";

type Entry<T> = { value: T; bytes: number };

/** The map's own memory for an entry. */
const ENTRY_BYTES = 80;
/** A larger entry is not cached: it would evict many others. */
const MAX_SHARE = 1 / 8;

export class BoundedCache<T> implements InMemory {
  hits = 0;
  misses = 0;
  /** How often a generation ended early because its memory was full. */
  overflows = 0;
  #young = new Map<string, Entry<T>>();
  #old = new Map<string, Entry<T>>();
  #youngBytes = 0;
  #oldBytes = 0;
  #half: number;
  #maxEntry: number;
  #size: (value: T) => number;

  /** `size`: bytes of a value, including what will be derived from it. */
  constructor(maxBytes: number, size: (value: T) => number, maxEntry = Infinity) {
    this.#half = maxBytes / 2;
    this.#maxEntry = Math.min(maxEntry, maxBytes * MAX_SHARE);
    this.#size = size;
  }

  get(id: string): T | undefined {
    const entry = this.#young.get(id) ?? this.#old.get(id);
    if (entry === undefined) {
      this.misses += 1;
      return undefined;
    }
    this.hits += 1;
    return entry.value;
  }

  /** One that is in the cache since the last generation began. */
  young(id: string): T | undefined {
    return this.#young.get(id)?.value;
  }

  set(id: string, value: T): void {
    this.delete(id);
    const bytes = ENTRY_BYTES + id.length + this.#size(value);
    if (bytes > this.#maxEntry) return;
    if (this.#youngBytes + bytes > this.#half) this.#overflow();
    this.#young.set(id, { value, bytes });
    this.#youngBytes += bytes;
  }

  /** Adds to the size of an entry, when something was derived from its value. */
  grow(id: string, bytes: number): void {
    const young = this.#young.get(id);
    const entry = young ?? this.#old.get(id);
    if (!entry) return;
    entry.bytes += bytes;
    if (young) this.#youngBytes += bytes;
    else this.#oldBytes += bytes;
    if (entry.bytes > this.#maxEntry) this.delete(id);
    else if (this.bytes() > 2 * this.#half) this.#overflow();
  }

  /** Puts another value in the place of one that is there, which keeps its age and its size. */
  replace(id: string, change: (value: T) => T): void {
    const entry = this.#young.get(id) ?? this.#old.get(id);
    if (entry) entry.value = change(entry.value);
  }

  #overflow(): void {
    this.overflows += 1;
    this.age();
  }

  delete(id: string): void {
    const young = this.#young.get(id);
    if (young) {
      this.#young.delete(id);
      this.#youngBytes -= young.bytes;
    }
    const old = this.#old.get(id);
    if (!old) return;
    this.#old.delete(id);
    this.#oldBytes -= old.bytes;
  }

  age(): void {
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
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

/** A cache for each App, with the share of memory of this name. */
export const boundedCache = <T>(
  name: string,
  size: (value: T) => number,
): ((app: App) => BoundedCache<T>) =>
  perApp(name, (app) => new BoundedCache(app.caches.budget(name), size));

const WIDE = /[\u0100-\uffff]/;

/** Bytes of a compiled regular expression for each of its characters. */
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

/** Including everything that it refers to, which must not be circular. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return 8 + ofString(value);
  if (typeof value === "bigint") return 32;
  if (typeof value === "object" && value !== null) return 8 + ofObject(value);
  return 8;
};
