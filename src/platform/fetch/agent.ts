// The agent behind the guarded client: a pool per origin, kept alive, HTTP/1.1 without pipelining.
// Imported at the first request, since undici takes 4 MB of a server that talks to nobody.

import { Agent } from "undici";
import { guardedConnector } from "./connect.ts";
import type { Lookup } from "./connect.ts";
import type { TargetRules } from "./target.ts";

const CONNECTIONS_PER_ORIGIN = 8;

/** `timeoutMs` is for the connection alone. */
export const createAgent = (rules: TargetRules, lookup: Lookup | null, timeoutMs: number): Agent =>
  new Agent({
    connect: guardedConnector(rules, lookup, timeoutMs),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
  });
