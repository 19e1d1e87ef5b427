// Two servers as real processes, which the journeys of federation.test.ts share. Each makes people of its own there.

import { after, before } from "node:test";
import { startServer } from "../server.ts";
import type { RealServer } from "../server.ts";

export let a: RealServer;
export let b: RealServer;

before(async () => {
  // Who waits for an attempt to deliver reads of it in the log.
  const env = { LOG_LEVEL: "debug" };
  [a, b] = await Promise.all([startServer({ env }), startServer({ env })]);
});

after(() => Promise.all([a?.remove(), b?.remove()]));
