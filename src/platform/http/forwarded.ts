// Reads what a proxy says of the client's address. Only addresses are believed: any other text would count as a client
// of its own for each limit, so that nothing would ever be limited.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";
import ipaddr from "ipaddr.js";
import type { Server } from "./server.ts";

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

/** Has to be registered before whatever reads `request.ip`: without a believable address that is the proxy's own. */
export const registerForwarded = (server: Server): void => {
  server.addHook("onRequest", (request, _reply, done) => {
    clean(request.raw.headers);
    done();
  });
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
