// Kills processes: every minute one of the server's, at times Valkey or PostgreSQL, by SIGKILL; and starts each again,
// as a service manager does. At times the clock jumps instead.

import { setTimeout as sleep } from "node:timers/promises";
import { randomNumbers } from "#plan";
import type { Cluster } from "../../test/journeys/cluster.ts";

const VALKEY_MS = 5000;
/** One in this many events is a jump of the clock instead of a kill. */
const JUMPS = 3;

type Jump = (days: number) => Promise<void>;

export const killByChance = async (
  server: Cluster,
  everyMs: number,
  { isOver, jump, say }: { isOver: () => boolean; jump: Jump | null; say: (text: string) => void },
): Promise<{ killed: number; jumps: number }> => {
  const random = randomNumbers(Date.now());
  let killed = 0;
  let jumps = 0;
  for (let next = performance.now() + everyMs; !isOver();) {
    await sleep(200);
    if (performance.now() < next) continue;
    next = performance.now() + everyMs;
    if (jump && (killed + jumps) % JUMPS === JUMPS - 1) {
      jumps += 1;
      say("the clock jumps by a day");
      await jump(1);
      continue;
    }
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
  return { killed, jumps };
};
