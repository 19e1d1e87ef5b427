// Hosts as they are compared: which are ours, and one spelling for each domain of others.

import type { App } from "../platform/app.ts";
import { hostIn } from "../platform/json/read.ts";

const MAX_DOMAIN = 261; // 253 of DNS, a dot, a colon and a port

/**
 * One spelling of a domain (with a port where it has one): lower case, punycode, without a trailing
 * dot or the usual port. Null when it is none.
 */
export const normaliseDomain = (app: App, domain: string): string | null => {
  if (domain.length > MAX_DOMAIN || !/^[^\s/\\?#@%[\]]+$/.test(domain)) return null;
  const bare = domain.replace(/\.(?=:\d+$|$)/, "");
  const url = URL.parse(`${app.config.site.https ? "https" : "http"}://${bare}`);
  return url && url.hostname !== "" && url.pathname === "/" ? url.host : null;
};

/** The domain under which accounts of this address are known, before WebFinger says otherwise. */
export const hostOf = (uri: string): string => new URL(uri).host;

const withoutDot = (host: string): string => host.replace(/\.(?=:\d+$|$)/, "");

/** Whether an address is on this server. */
export const isLocalUri = (app: App, uri: string): boolean => {
  const { localDomain, webDomain } = app.config.site;
  const given = hostIn(uri);
  if (given === null) return false;
  const host = withoutDot(given);
  return host === localDomain || host === webDomain;
};
