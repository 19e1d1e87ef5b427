// Opening connections: names are resolved here, every answer is checked, and the socket goes to
// the checked addresses only, so a second DNS answer (rebinding) is never asked for.

import { lookup as dnsLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import { FetchRefused } from "./errors.ts";
import type { TargetRules } from "./target.ts";

/** A name → all its addresses. The default asks the system, as `getaddrinfo` does. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

const systemLookup: Lookup = (hostname) => dnsLookup(hostname, { all: true });

/** undici's connector with our lookup in it (null: the system's). TLS certificates are checked as always. */
export const guardedConnector = (
  rules: TargetRules,
  given: Lookup | null,
  timeoutMs: number,
): buildConnector.connector => {
  const lookup = given ?? systemLookup;
  const { policy, allowHttp } = rules;
  const usual = connectorFor(
    checkingLookup(lookup, (name, address) => {
      if (!policy.allowed(address)) throw refusedAddress(name, address);
    }),
    timeoutMs,
  );
  if (allowHttp) return usual;
  const plain = connectorFor(
    checkingLookup(lookup, (name, address) => {
      if (policy.listed(address)) return;
      if (!policy.allowed(address)) throw refusedAddress(name, address);
      throw new FetchRefused("scheme", "Plain http is not fetched");
    }),
    timeoutMs,
  );
  return (options, callback) => (options.protocol === "http:" ? plain : usual)(options, callback);
};

const refusedAddress = (name: string, address: string): FetchRefused =>
  new FetchRefused("address", `${name} has the address ${address}, which we do not talk to`);

/** With autoSelectFamily node asks for all addresses at once, and tries them in turn. */
const connectorFor = (lookup: LookupFunction, timeout: number): buildConnector.connector =>
  buildConnector({
    allowH2: false,
    timeout,
    lookup,
    autoSelectFamily: true,
  } as buildConnector.BuildOptions);

/** One bad address among several refuses all: a name must not be half in our network. */
const checkingLookup = (
  lookup: Lookup,
  check: (name: string, address: string) => void,
): LookupFunction => {
  const resolve = callbackify(async (name: string) => {
    const found = await lookup(name);
    if (found.length === 0) throw new Error(`${name} has no address`);
    for (const { address } of found) check(name, address);
    return found;
  });
  return (name, _options, callback) => resolve(name, callback as never);
};
