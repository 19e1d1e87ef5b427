// Opens the connections of the guarded client. It resolves names itself, checks every address, and connects only to
// checked addresses: without a second DNS lookup there is no DNS rebinding. It is imported at the first request,
// because undici takes 4 MB.

import type { LookupFunction } from "node:net";
import { createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import { callbackify } from "node:util";
import type { Agent as UndiciAgent, buildConnector as Builder } from "undici";
import { FetchRefused } from "./errors.ts";
import type { TargetRules } from "./target.ts";
import { Agent, buildConnector } from "./undici.ts";

/** Resolves a name to all its addresses; see names.ts. */
export type Lookup = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** Wraps undici's connector with our checks. TLS certificates are verified. */
const guardedConnector = (
  rules: TargetRules,
  lookup: Lookup,
  timeoutMs: number,
): Builder.connector => {
  const { policy, allowHttp } = rules;
  // All hosts share one TLS context: making one takes 1 ms, also for a host that is never reached.
  const shared = { timeout: timeoutMs, secureContext: createSecureContext() };
  const usual = connectorFor(
    checkingLookup(lookup, (name, address) => {
      if (!policy.allowed(address)) throw refusedAddress(name, address);
    }),
    shared,
  );
  if (allowHttp) return usual;
  const plain = connectorFor(
    checkingLookup(lookup, (name, address) => {
      if (policy.listed(address)) return;
      if (!policy.allowed(address)) throw refusedAddress(name, address);
      throw new FetchRefused("scheme", "Plain http is not fetched");
    }),
    shared,
  );
  return (options, callback) => (options.protocol === "http:" ? plain : usual)(options, callback);
};

const refusedAddress = (name: string, address: string): FetchRefused =>
  new FetchRefused(
    "address",
    `${name} has the address ${address}, which this server does not talk to`,
  );

type Shared = { timeout: number; secureContext: SecureContext };

/** With autoSelectFamily Node asks for all addresses at once and tries them in turn. */
const connectorFor = (lookup: LookupFunction, shared: Shared): Builder.connector =>
  buildConnector({
    ...shared,
    allowH2: false,
    lookup,
    autoSelectFamily: true,
  } as Builder.BuildOptions);

/** Refuses a name if any of its addresses is forbidden: it must not point into our network at all. */
const checkingLookup = (
  lookup: Lookup,
  check: (name: string, address: string) => void,
): LookupFunction => {
  const resolve = callbackify(async (name: string) => {
    const addresses = await lookup(name);
    if (addresses.length === 0) throw new Error(`${name} has no address`);
    for (const { address } of addresses) check(name, address);
    return addresses;
  });
  return (name, _options, callback) => resolve(name, callback as never);
};

const CONNECTIONS_PER_ORIGIN = 8;

/** Milliseconds that an idle connection is kept, even if the origin allows more. */
const MOST_KEPT_MS = 10_000;

export type AgentOptions = {
  lookup: Lookup;
  /** Milliseconds that opening a connection may take. */
  timeoutMs: number;
  /** While this many connections are open, to all origins together, each is closed after its request. */
  maxKept: number;
};

/** Makes an agent with a pool for each origin, kept alive, HTTP/1.1 without pipelining. */
export const createAgent = (
  rules: TargetRules,
  { lookup, timeoutMs, maxKept }: AgentOptions,
): UndiciAgent => {
  const agent = new Agent({
    connect: guardedConnector(rules, lookup, timeoutMs),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    keepAliveMaxTimeout: MOST_KEPT_MS,
  });
  let open = 0;
  agent.on("connect", () => (open += 1)).on("disconnect", () => (open -= 1));
  const dispatch = agent.dispatch.bind(agent);
  agent.dispatch = (options, handler) =>
    dispatch(open < maxKept ? options : { ...options, reset: true }, handler);
  return agent;
};
