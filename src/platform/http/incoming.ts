// Reads what every request begins with: its method, its path (ids in it, doubled slashes, a form that a route always
// answers), and the client's address as a proxy names it. Only addresses are believed: any other text would count as a
// client of its own for each limit, so that nothing would ever be limited. HEAD is answered as GET without the body
// (RFC 9110, 9.3.2): it is routed as GET, and is HEAD again for all that comes after, as a second route for each path
// would be half of what a start takes.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyReply, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { parseId } from "../ids/index.ts";
import { NotFound } from "../errors.ts";
import type { Server } from "./server.ts";
import { unlessUnchanged } from "./unchanged.ts";

/** Parses an id in a path; throws 404 for anything else. */
export const pathId = (value: unknown): string => {
  const id = parseId(value);
  if (id === null) throw new NotFound();
  return id;
};

/**
 * Removes doubled slashes from API paths. Scripts put `/api/v1/…` after an address that ends with a slash, and Rails
 * takes several slashes for one. Other paths are unchanged, so that none has two addresses.
 */
export const withoutDoubleSlashes = ({ url = "/" }: { url?: string }): string => {
  if (!url.includes("//")) return url;
  const [path = "", ...query] = url.split("?");
  if (!/^\/+(?:api|oauth)\//.test(path)) return url;
  return [path.replaceAll(/\/{2,}/g, "/"), ...query].join("?");
};

/**
 * Whether a request posts a status from a form. Its route always answers it with the text that was written, to be sent
 * again.
 */
export const isPostForm = ({ url }: FastifyRequest): boolean =>
  url.split("?", 1)[0] === "/web/act/statuses";

const HEADER = "x-forwarded-for";

/** Removes the port that some proxies add: `1.2.3.4:5678`, `[::1]:5678`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;

/** Returns the addresses nearest to us, up to the first entry that is no address; null if even the nearest is none. */
export const believable = (header: string): string | null => {
  const entries = header.split(",").map((entry) => withoutPort(entry.trim()));
  const lastBad = entries.findLastIndex((entry) => !ipaddr.isValid(entry));
  const good = entries.slice(lastBad + 1);
  return good.length > 0 ? good.join(", ") : null;
};

const clean = (headers: IncomingHttpHeaders): void => {
  const header = headers[HEADER];
  if (header === undefined) return;
  const kept = believable(String(header));
  if (kept === null) delete headers[HEADER];
  else headers[HEADER] = kept;
};

type Routed = Pick<IncomingMessage, "method">;

const heads = new WeakSet<Routed>();

const routeHeadAsGet = (request: Routed): void => {
  if (request.method !== "HEAD") return;
  request.method = "GET";
  heads.add(request);
};

export const restoreHead = (request: Routed): void => {
  if (heads.has(request)) request.method = "HEAD";
};

const isWithoutLength = (status: number): boolean => status === 204 || status === 304;

/** The length is that of the body which GET would have; a handler that makes none says it by itself. */
const tellLength = (reply: FastifyReply, body: unknown): void => {
  if (reply.hasHeader("content-length") || isWithoutLength(reply.statusCode)) return;
  const length = typeof body === "string" || Buffer.isBuffer(body) ? Buffer.byteLength(body) : 0;
  reply.header("content-length", String(length));
};

/** Its hook has to be the last of those that see the body. */
export const registerHead = (server: Server): void => {
  server.addHook("onSend", (request, reply, whole, done) => {
    if (request.method !== "GET" && request.method !== "HEAD") return done(null, whole);
    const body = unlessUnchanged(request, reply, whole);
    if (request.method !== "HEAD") return done(null, body);
    // What makes the body may not expect that it is cut off.
    if (body instanceof Readable) body.on("error", () => {}).resume();
    else tellLength(reply, body);
    done(null, null);
  });
};

/** For routes whose body never ends, for which a HEAD request would wait. */
export const withoutHead = {
  onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method === "HEAD") return reply.callNotFound();
  },
};

/**
 * Rewrites the address of each request before it is routed, and so before anything reads `request.ip`: without a
 * believable address that is the proxy's own.
 */
export const rewriteIncoming = (
  request: Routed & { headers: IncomingHttpHeaders; url?: string },
): string => {
  routeHeadAsGet(request);
  clean(request.headers);
  return withoutDoubleSlashes(request);
};

/**
 * Returns the client's address of a request that does not go through the server's routes, like `request.ip` for others.
 */
export const addressReader = (trustedProxies: string[]): ((request: IncomingMessage) => string) => {
  const isTrusted = proxyAddr.compile(trustedProxies);
  return (request) => {
    clean(request.headers);
    return proxyAddr(request, isTrusted);
  };
};
