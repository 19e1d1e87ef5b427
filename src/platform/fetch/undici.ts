// Loads only the parts of undici that the guarded client needs: its main file also loads browsers' fetch and sockets,
// caches, proxies and mocks, which take as much memory again (3.5 MB).

import { createRequire } from "node:module";
import type * as Undici from "undici";

const require = createRequire(import.meta.url);

const load = <Name extends "Agent" | "buildConnector">(path: string): (typeof Undici)[Name] =>
  require(`undici/lib/${path}.js`);

export const Agent = load<"Agent">("dispatcher/agent");
export const buildConnector = load<"buildConnector">("core/connect");
