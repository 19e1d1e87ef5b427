// A feed as it is stored in Valkey (redis-scripts.ts), and as this process works on it.

import { emptyFeed } from "./feed.ts";
import type { Feed } from "./feed.ts";

/** The fields v s i b f g. */
export type Stored = (Buffer | null)[];

/** An id as the scripts get it. */
export const halvesOf = (id: string): [number, number] => {
  const value = BigInt(id);
  return [Number(value >> 32n), Number(value & 0xffffffffn)];
};

/** Numbers in the order of the bytes, whatever this machine's is. */
const pack = (values: BigUint64Array): Buffer => {
  const packed = Buffer.alloc(8 * values.length);
  for (let n = 0; n < values.length; n++) packed.writeBigUInt64BE(values[n]!, 8 * n);
  return packed;
};

const unpack = (packed: Buffer | null): BigUint64Array => {
  const values = new BigUint64Array((packed?.length ?? 0) >> 3);
  for (let n = 0; n < values.length; n++) values[n] = packed!.readBigUInt64BE(8 * n);
  return values;
};

/** Without the zero that they begin with. */
export const unpackIds = (packed: Buffer | null): BigUint64Array => {
  const values = unpack(packed);
  return values[0] === 0n ? values.subarray(1) : values;
};

const readState = (text: string): Feed["state"] => {
  if (text === "w") return { name: "whole" };
  return text === "e" ? { name: "empty" } : { name: "part", floor: BigInt(text.slice(1)) };
};

const writeState = (state: Feed["state"]): string => {
  if (state.name === "part") return `p${state.floor}`;
  return state.name === "whole" ? "w" : "e";
};

/** null: there is none. */
export const readFeed = ([, state, ids, boosts, filler, gone]: Stored): Feed | null => {
  if (!state) return null;
  const feed = emptyFeed();
  const values = unpackIds(ids ?? null);
  feed.ids.values.set(values);
  feed.ids.length = values.length;
  const pairs = unpack(boosts ?? null);
  feed.boosts.length = pairs.length >> 1;
  for (let n = 0; n < feed.boosts.length; n++) {
    feed.boosts.ids[n] = pairs[2 * n]!;
    feed.boosts.originals[n] = pairs[2 * n + 1]!;
  }
  feed.filling = filler ? new Set(unpack(gone ?? null)) : null;
  feed.state = readState(state.toString());
  return feed;
};

/** The fields s i b and g. */
export const writeFeed = ({ ids, boosts, filling, state }: Feed) => {
  const pairs = new BigUint64Array(2 * boosts.length);
  for (let n = 0; n < boosts.length; n++) {
    pairs[2 * n] = boosts.ids[n]!;
    pairs[2 * n + 1] = boosts.originals[n]!;
  }
  return {
    state: writeState(state),
    ids: Buffer.concat([Buffer.alloc(8), pack(ids.values.subarray(0, ids.length))]),
    boosts: pack(pairs),
    gone: pack(BigUint64Array.from(filling ?? [])),
  };
};
