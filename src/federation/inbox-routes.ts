// The inboxes: POST /inbox for all, those of actors, and /actor/inbox. The cheap checks of a request come first, then
// its signature; then it is stored, and processed later. Peers expect the response 202 quickly, and it promises that
// the activity is not lost.

import type { FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { ownDomains } from "../platform/config/names.ts";
import type { Rate } from "../platform/buckets.ts";
import { BadRequest } from "../platform/errors.ts";
import type { Server } from "../platform/http/server.ts";
import { addressKey } from "../platform/http/rate-limit.ts";
import { UNCOUNTED, takeRequest } from "../platform/http/request-rates.ts";
import { MAX_DOCUMENT_BYTES } from "../platform/remote-limits.ts";
import { actorPaths, isActorName } from "./actor-paths.ts";
import type { ActorName } from "./actor-paths.ts";
import { selectLocalActor } from "./queries.ts";
import { inFlightOf } from "./inbox/in-flight.ts";
import { receive } from "./inbox/receive.ts";
import { parseSignature } from "./signatures/parse.ts";
import type { ParsedSignature } from "./signatures/parse.ts";
import type { IncomingRequest } from "./signatures/verify.ts";

const PATHS = ["/inbox", ...actorPaths("/inbox"), "/actor/inbox"];

/** Returns the address of the person whose own inbox it is. */
const ownerOf = async (app: App, { params }: FastifyRequest): Promise<string | null> => {
  const name = params as ActorName;
  return isActorName(name) ? ((await selectLocalActor(app.sql, name))?.uri ?? null) : null;
};

const rawBody = (request: FastifyRequest): Buffer => {
  if (!Buffer.isBuffer(request.body)) throw new BadRequest("The request body must be an activity");
  return request.body;
};

/** Returns the request as it was received, of which `body` are the bytes. */
export const incomingOf = (
  app: App,
  { method, raw, headers }: FastifyRequest,
  body: Buffer,
): IncomingRequest => {
  const scheme = app.config.site.https ? "https" : "http";
  return { method, target: raw.url ?? "", headers, scheme, body };
};

/** `address` limits the client's IP address, `host` the host of the key that signed. */
export type InboxRates = { address: Rate; host: Rate };

/** Returns the announced bytes of a body; one without a length counts as the longest allowed. */
const announcedBytes = ({ headers }: FastifyRequest): number => {
  const length = Number(headers["content-length"] ?? MAX_DOCUMENT_BYTES);
  return Math.min(length, MAX_DOCUMENT_BYTES);
};

/** The raw bytes are what is signed, so this plugin does not let fastify parse them. */
export const inboxRoutes = (server: Server, app: App, rates: InboxRates): void => {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: "buffer", bodyLimit: MAX_DOCUMENT_BYTES } as const;
    scope.addContentTypeParser(
      /^application\/(?:[\w.-]+\+)?json/i,
      options,
      (_request, body, done) => done(null, body),
    );
    // Signatures are parsed before the body is read, so that an unsigned body is not received.
    const signatures = new WeakMap<FastifyRequest, ParsedSignature>();
    const inFlight = inFlightOf(app);
    scope.addHook("onRequest", (request, reply, done) => {
      try {
        const address = addressKey(request.ip);
        takeRequest(app, "inbox address", rates.address, address);
        signatures.set(request, parseSignature(request.headers));
        const free = inFlight.take(address, announcedBytes(request));
        reply.raw.once("close", free);
        done();
      } catch (error) {
        done(error as Error);
      }
    });
    const countHost = (host: string) => takeRequest(app, "inbox host", rates.host, host);
    for (const path of PATHS) {
      scope.post(path, { bodyLimit: MAX_DOCUMENT_BYTES, ...UNCOUNTED }, async (request, reply) => {
        const incoming = incomingOf(app, request, rawBody(request));
        const signature = signatures.get(request)!;
        const from = {
          hosts: ownDomains(app.config.site),
          signature,
          countHost,
          owner: () => ownerOf(app, request),
        };
        await receive(app, incoming, from);
        return reply.code(202).send();
      });
    }
  });
};
