// Reads what every request begins with: its path (ids in it, doubled slashes, a form that a route always answers), and
// the client's address as a proxy names it. Only addresses are believed: any other text would count as a client of its
// own for each limit, so that nothing would ever be limited.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { parseId } from "../ids/index.ts";
import { NotFound } from "../errors.ts";

/** Parses an id in a path; throws 404 for anything else. */
export const pathId = (value: string): string => {
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

/**
 * Rewrites the address of each request before it is routed, and so before anything reads `request.ip`: without a
 * believable address that is the proxy's own.
 */
export const rewriteIncoming = (request: {
  headers: IncomingHttpHeaders;
  url?: string;
}): string => {
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
