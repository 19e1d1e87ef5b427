// Compares hosts: says which are local, and normalises remote domains.

import type { App } from "../platform/app.ts";
import { isOwnDomain } from "../platform/config/names.ts";
import { hostIn } from "../platform/json/read.ts";

const MAX_DOMAIN = 261; // 253 of DNS, a dot, a colon and a port

const withoutDot = (host: string): string => host.replace(/\.(?=:\d+$|$)/, "");

/** Returns the origin at which a domain's server is asked about itself. */
export const originOf = (app: App, domain: string): string =>
  `${app.config.site.https ? "https" : "http"}://${domain}`;

/**
 * Normalises a domain (with its port, if any): lower case, punycode, without a trailing dot or the default port. Null
 * for an invalid one.
 */
export const normaliseDomain = (app: App, domain: string): string | null => {
  if (domain.length > MAX_DOMAIN || !/^[^\s/\\?#@%[\]]+$/.test(domain)) return null;
  const url = URL.parse(originOf(app, withoutDot(domain)));
  return url && url.hostname !== "" && url.pathname === "/" ? url.host : null;
};

/** Returns the domain of an actor's handle, unless WebFinger names another. */
export const hostOf = (uri: string): string => new URL(uri).host;

/** Whether an address is on this server, also under a former name. */
export const isLocalUri = (app: App, uri: string): boolean => {
  const named = hostIn(uri);
  return named !== null && isOwnDomain(app.config.site, withoutDot(named));
};
