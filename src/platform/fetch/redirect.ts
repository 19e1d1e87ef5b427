// Makes the next request from a redirect, with the same checks as the first one.

import type { Head } from "./exchange.ts";
import { parseTarget, type TargetRules } from "./target.ts";

/** One request of a chain of redirects. */
export type Hop = {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
};

const STATUSES = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent to the first origin only; a signature is only valid for the first target. */
const BOUND_TO_ORIGIN = new Set(["authorization", "cookie", "proxy-authorization", "signature"]);

/** Whether a response is a redirect with a Location. */
export const isRedirect = ({ status, headers }: Head): boolean =>
  STATUSES.has(status) && headers["location"] !== undefined;

/**
 * Returns the request that follows a redirect. As in the Fetch standard, 303 always and 301 or 302 after a POST become
 * a GET without a body; 307 and 308 repeat the request. Throws FetchRefused.
 */
export const nextHop = (hop: Hop, answer: Head, rules: TargetRules): Hop => {
  const url = parseTarget(answer.headers["location"]!, rules, hop.url);
  const headers =
    url.origin === hop.url.origin ? hop.headers : without(hop.headers, BOUND_TO_ORIGIN);
  const { status } = answer;
  const becomesGet =
    hop.method !== "HEAD" &&
    (status === 303 || (hop.method === "POST" && (status === 301 || status === 302)));
  if (!becomesGet) return { url, method: hop.method, headers, body: hop.body };
  const bodiless = without(headers, new Set(["content-type", "digest"]));
  return { url, method: "GET", headers: bodiless, body: undefined };
};

const without = (headers: Record<string, string>, names: Set<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase())));
