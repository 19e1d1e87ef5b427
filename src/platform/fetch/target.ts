// Parses the URL of an outbound request and refuses what can be refused before any DNS lookup.

import { isIP } from "node:net";
import type { AddressPolicy } from "./addresses.ts";
import { FetchRefused } from "./errors.ts";

const MAX_URL_LENGTH = 4096;

/** Which targets are allowed. `allowHttp`: only where this server and its peers use http. */
export type TargetRules = { policy: AddressPolicy; allowHttp: boolean };

/**
 * Parses an absolute URL, or a Location against `base`, and checks everything that needs no DNS. The
 * raw text is checked as well, because URL turns `0x7f.1` into 127.0.0.1. Plain http to a name passes
 * here: the connection then requires every address to be listed.
 */
export const parseTarget = (raw: string, rules: TargetRules, base?: URL): URL => {
  if (raw.length > MAX_URL_LENGTH) throw new FetchRefused("url", "The address is too long");
  const url = URL.parse(raw, base?.href);
  // URL removes tabs and line breaks, so `/\t/host` would name a host.
  if (!url || /\p{Cc}/u.test(raw)) throw new FetchRefused("url", "Not an address");
  const known = url.protocol === "https:" || url.protocol === "http:";
  const noHttp = url.protocol === "http:" && !rules.allowHttp && rules.policy.empty;
  if (!known || noHttp) {
    throw new FetchRefused("scheme", `The scheme ${url.protocol} is not fetched`);
  }
  checkAuthority(raw, url, base);
  checkLiteral(url, rules);
  url.hash = "";
  return url;
};

/** Returns the host without brackets when it is an IP address; null when it is a name. */
const literalOf = (url: URL): string | null => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 ? null : host;
};

const checkAuthority = (raw: string, url: URL, base: URL | undefined): void => {
  if (url.username !== "" || url.password !== "") {
    throw new FetchRefused("credentials", "User info in an address");
  }
  const authority = rawAuthority(raw, base);
  if (authority === null) return;
  if (authority.includes("@")) throw new FetchRefused("credentials", "User info in an address");
  if (!/^(?:[a-z\d._\-\u0080-\u{10ffff}]+|\[[\da-f:.]+\])(?::\d{0,5})?$/iu.test(authority)) {
    throw new FetchRefused("host", "An odd host");
  }
  const host = authority.replace(/:\d*$/, "");
  const disguised = isIP(url.hostname) === 4 && host !== url.hostname;
  if (disguised || url.hostname.endsWith(".")) throw new FetchRefused("host", "An odd host");
};

/** Returns the text between `//` and the path; null when a Location is relative to the base's host. */
const rawAuthority = (raw: string, base: URL | undefined): string | null => {
  const absolute = /^(?:https?:)?\/\/([^/?#]*)/i.exec(raw);
  if (absolute) return absolute[1] ?? "";
  // URL also reads a host from `https:/host`, `\\host` and after leading spaces.
  if (!base || /^\s|^[/\\]{2}|^[a-z][a-z\d+.-]*:/i.test(raw)) {
    throw new FetchRefused("url", "Not an absolute address");
  }
  return null;
};

const checkLiteral = (url: URL, { policy, allowHttp }: TargetRules): void => {
  const literal = literalOf(url);
  if (literal === null) return;
  if (!policy.allowed(literal)) {
    throw new FetchRefused("address", `The address ${literal} is not one that we talk to`);
  }
  if (url.protocol === "http:" && !allowHttp && !policy.listed(literal)) {
    throw new FetchRefused("scheme", "Plain http is not fetched");
  }
};
