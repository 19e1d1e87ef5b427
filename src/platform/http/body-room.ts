// Limits the memory of request bodies, which are kept until they are complete, and of the work on them. Beyond the
// limit clients are asked to retry before their body is read, and long or slow bodies leave room for the others. The
// inbox has a limit of its own. A body is received before its sender is known, because the token or the form may be in
// it.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { perApp } from "../caches/index.ts";
import { BODY_LIMIT } from "./body.ts";
import { HttpError } from "./http-error.ts";
import { addressKey } from "./rate-limit.ts";
import type { Server } from "./server.ts";

export type InFlightLimits = {
  total: number;
  /** Bytes above which a body counts as large. */
  large: number;
  /** Bytes of all large bodies together, so that ordinary activities find room beside them. */
  largeTotal: number;
  /** Bytes from one address, so that a stranger does not take the room of all others. */
  perAddress: number;
};

const RETRY_AFTER_SECONDS = 10;

type InFlight = {
  entries(): number;
  bytes(): number;
  /** Reserves room for a body and returns the function that frees it; throws 503 when there is none. */
  take(address: string, bytes: number): () => void;
};

const tooMuch = (): HttpError =>
  new HttpError(503, "Too much is being received, please try again", {
    // The rest of the body is not read, so the connection closes.
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

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODY_ROOM: InFlightLimits = {
  total: 64 * MIB,
  large: 64 * KIB,
  largeTotal: 32 * MIB,
  perAddress: 16 * MIB,
};

export const bodyRoomOf = perApp("bodies being received", () => createInFlight(BODY_ROOM));

/**
 * Returns the bytes of a body that are kept in memory; files go to the disk. A body without a length counts as the
 * longest allowed.
 */
const bytesOf = ({ headers, routeOptions }: FastifyRequest): number => {
  const length = Number(
    headers["content-length"] ?? (headers["transfer-encoding"] ? BODY_LIMIT : 0),
  );
  if (length > BODY_LIMIT && routeOptions.config.upload) return 0;
  return Math.min(length, BODY_LIMIT);
};

export const registerBodyRoom = (server: Server, app: App): void => {
  const room = bodyRoomOf(app);
  server.addHook("onRequest", (request, reply, done) => {
    const bytes = request.routeOptions.config.uncounted ? 0 : bytesOf(request);
    if (bytes === 0) return done();
    try {
      reply.raw.once("close", room.take(addressKey(request.ip), bytes));
      done();
    } catch (error) {
      done(error as Error);
    }
  });
};
