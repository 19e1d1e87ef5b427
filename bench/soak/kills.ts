// Processes that die: every minute one of the server's, at times Valkey or PostgreSQL, by SIGKILL; and each is started
// again, as a service manager does.

import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "../../src/plan/simulation.ts";
import type { Cluster } from "../../test/journeys/cluster.ts";

const VALKEY_MS = 5000;

export const killByChance = async (
  server: Cluster,
  everyMs: number,
  isOver: () => boolean,
  say: (text: string) => void,
): Promise<number> => {
  const random = randomNumbers(Date.now());
  let killed = 0;
  for (let next = Date.now() + everyMs; !isOver();) {
    await sleep(200);
    if (Date.now() < next) continue;
    next = Date.now() + everyMs;
    killed += 1;
    const chance = random();
    if (chance < 0.1) {
      say("Valkey is killed, and comes back empty");
      await server.redis.kill();
      await sleep(VALKEY_MS);
      await server.redis.start();
    } else if (chance < 0.2) {
      say("PostgreSQL is killed");
      process.kill(server.database.pid, "SIGKILL");
    } else {
      const part = server.parts[Math.floor(random() * server.parts.length)]!;
      say(`${part.name} is killed`);
      await part.kill();
      await part.start();
    }
  }
  return killed;
};
