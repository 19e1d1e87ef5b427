// Ports for servers that are told theirs before they open it.

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });

/** A free port below the range of outgoing connections, which would take one of theirs meanwhile. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
};
