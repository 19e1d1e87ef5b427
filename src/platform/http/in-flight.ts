// The bytes of bodies that are being received and worked on: beyond the bound clients are asked to come again before
// theirs is read. A body that is long or slow leaves room for the others.

import { HttpError } from "./http-error.ts";

export type InFlightLimits = {
  total: number;
  /** A body above this is large. */
  large: number;
  /** All large ones together: ordinary activities find room beside them. */
  largeTotal: number;
  /** Of one address: a stranger does not take the room of all others. */
  perAddress: number;
};

const RETRY_AFTER_SECONDS = 10;

export type InFlight = {
  entries(): number;
  bytes(): number;
  /** Takes room for a body; gives the function that frees it. Throws 503 when there is none. */
  take(address: string, bytes: number): () => void;
};

const tooMuch = (): HttpError =>
  new HttpError(503, "Too much is being received, please try again", {
    // What is still to come of the body is not read.
    headers: { "retry-after": String(RETRY_AFTER_SECONDS), connection: "close" },
  });

export const createInFlight = (limits: InFlightLimits): InFlight => {
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
