// Room for the bodies of requests, which are kept until they are complete: the inbox has a room of its own. A body is
// received before it is known whose it is, where the token or the form may be in it.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { perApp } from "../caches/index.ts";
import { BODY_LIMIT } from "./body.ts";
import { createInFlight } from "./in-flight.ts";
import type { InFlightLimits } from "./in-flight.ts";
import { addressKey } from "./rate-limit.ts";
import type { Server } from "./server.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODY_ROOM: InFlightLimits = {
  total: 64 * MIB,
  large: 64 * KIB,
  largeTotal: 32 * MIB,
  perAddress: 16 * MIB,
};

export const bodyRoomOf = perApp("bodies being received", () => createInFlight(BODY_ROOM));

/** What is kept in memory of the body; files go to the disk. One that does not tell its length may have the longest. */
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
