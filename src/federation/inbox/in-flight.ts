// The bytes of activities that are being received, checked and stored. A body costs about ten times its
// bytes until it is stored, so beyond the bound peers are asked to come again before theirs is read.

import { perApp } from "../../platform/caches/index.ts";
import { Unavailable } from "../../platform/errors.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

export type InFlightLimits = {
  total: number;
  /** A body above this is large. */
  large: number;
  /** All large ones together: ordinary activities find room beside them. */
  largeTotal: number;
  /** Of one address: a stranger does not take the room of all others. */
  perAddress: number;
};

export const IN_FLIGHT: InFlightLimits = {
  total: 16 * MIB,
  large: 64 * KIB,
  largeTotal: 8 * MIB,
  perAddress: 4 * MIB,
};

const RETRY_AFTER_SECONDS = 10;

export type InFlight = {
  entries(): number;
  bytes(): number;
  /** Takes room for a body; gives the function that frees it. Throws 503 when there is none. */
  take(address: string, bytes: number): () => void;
};

const tooMuch = (): Unavailable => {
  const words = "Too many activities are being received, please try again";
  const error = new Unavailable(words, RETRY_AFTER_SECONDS);
  // What is still to come of the body is not read.
  error.headers = { ...error.headers, connection: "close" };
  return error;
};

export const createInFlight = (limits: InFlightLimits = IN_FLIGHT): InFlight => {
  const byAddress = new Map<string, number>();
  let [total, large] = [0, 0];
  let count = 0;

  const change = (address: string, bytes: number): void => {
    total += bytes;
    if (Math.abs(bytes) > limits.large) large += bytes;
    count += Math.sign(bytes);
    const left = (byAddress.get(address) ?? 0) + bytes;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  };

  return {
    entries: () => count,
    bytes: () => total,
    take(address, bytes) {
      const size = Math.max(1, bytes);
      const isFull =
        total + size > limits.total ||
        (size > limits.large && large + size > limits.largeTotal) ||
        (byAddress.get(address) ?? 0) + size > limits.perAddress;
      if (isFull) throw tooMuch();
      change(address, size);
      return () => change(address, -size);
    },
  };
};

export const inFlightOf = perApp("inbox being received", () => createInFlight());
