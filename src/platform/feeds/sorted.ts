// The sorted lists that a feed in memory consists of: its ids, and its newest boosts.

import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";

/** A feed grows by this much over its length before it is cut: cutting costs more than adding. */
const SLACK = 100;
export const CAPACITY = FEED_LENGTH + SLACK + 1;
/** How many of the newest boosts a feed knows, including those that are left out. */
export const MAX_BOOSTS = 250;

/** Ids in ascending order, in one typed array: as objects they would take four times the memory. */
export class Ids {
  readonly values = new BigUint64Array(CAPACITY);
  length = 0;

  /** The first index whose id is not below `id`. */
  position(id: bigint): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id;
  }

  insert(id: bigint): void {
    const { values } = this;
    if (this.length === 0 || values[this.length - 1]! < id) {
      values[this.length] = id;
    } else {
      const at = this.position(id);
      if (values[at] === id) return;
      values.copyWithin(at + 1, at, this.length);
      values[at] = id;
    }
    this.length += 1;
    if (this.length <= FEED_LENGTH + SLACK) return;
    values.copyWithin(0, this.length - FEED_LENGTH, this.length);
    this.length = FEED_LENGTH;
  }

  /** Whether it is in the feed and within its length. */
  isShown(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id && this.length - at <= FEED_LENGTH;
  }

  remove(gone: ReadonlySet<bigint>): void {
    const left = this.values.subarray(0, this.length).filter((id) => !gone.has(id));
    this.values.set(left);
    this.length = left.length;
  }

  /** Removes those from `id` on, and returns them. */
  takeFrom(id: bigint): BigUint64Array {
    const at = this.position(id);
    const taken = this.values.slice(at, this.length);
    this.length = at;
    return taken;
  }

  isRecent(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id && this.length - at <= REPEAT_SPAN;
  }
}

/** The newest boosts, in the order of their ids, each with its original. */
export class Boosts {
  readonly ids = new BigUint64Array(MAX_BOOSTS);
  readonly originals = new BigUint64Array(MAX_BOOSTS);
  length = 0;

  /** The first index whose id is not below `id`. A scan from the end, where it usually is. */
  position(id: bigint): number {
    let at = this.length;
    while (at > 0 && this.ids[at - 1]! >= id) at -= 1;
    return at;
  }

  has(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.ids[at] === id;
  }

  insert(id: bigint, original: bigint): void {
    let at = this.position(id);
    const isKnown = at < this.length && this.ids[at] === id;
    if (!isKnown && this.length === MAX_BOOSTS) {
      if (at === 0) return;
      at -= 1;
      this.#move(0, 1);
      this.length -= 1;
    }
    if (!isKnown) {
      this.#move(at + 1, at);
      this.length += 1;
    }
    this.ids[at] = id;
    this.originals[at] = original;
  }

  remove(gone: ReadonlySet<bigint>): void {
    let left = 0;
    for (let at = 0; at < this.length; at++) {
      if (gone.has(this.ids[at]!)) continue;
      this.ids[left] = this.ids[at]!;
      this.originals[left] = this.originals[at]!;
      left += 1;
    }
    this.length = left;
  }

  #move(to: number, from: number): void {
    this.ids.copyWithin(to, from, this.length);
    this.originals.copyWithin(to, from, this.length);
  }
}
