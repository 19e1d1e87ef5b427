// Attack: a post to a healthy host beside many that are slow, refuse, or never answer.

import { setTimeout as sleep } from "node:timers/promises";
import { hostAddress } from "../receivers.ts";
import { crierNumber, localId } from "../world.ts";
import type { Attack, Finding, Stage } from "./attack.ts";
import { insertFollowers } from "./queries.ts";
import { strangerHost } from "./strangers.ts";
import { ask } from "./tools.ts";

const WAIT_SECONDS = 40;
const POSTS = 3;

/** Returns the milliseconds until a post has reached the one healthy host. */
const post = async ({ world, server, receivers }: Stage, text: string): Promise<number> => {
  const total = receivers.count() + 1;
  const began = performance.now();
  await ask({ world, server }, crierNumber(world), "/api/v1/statuses", { status: text });
  await receivers.reached(total, WAIT_SECONDS);
  return performance.now() - began;
};

type Case = { name: string; words: string; begin(stage: Stage): void };

const CASES: Case[] = [
  {
    name: "slow_inboxes",
    words: "answer after 9 s",
    begin: ({ strangers }) => void (strangers.state.mood = "slow"),
  },
  { name: "refusing_inboxes", words: "refuse", begin: ({ strangers }) => strangers.refuse() },
  {
    name: "silent_inboxes",
    words: "never answer",
    begin: ({ strangers }) => void (strangers.state.mood = "silent"),
  },
];

const attackOf = ({ name, words, begin }: Case): Attack => ({
  name,
  async run(stage): Promise<Finding[]> {
    const { world, server, strangers } = stage;
    const many = Array.from({ length: strangers.hosts }, (_, n) => {
      return `${strangerHost(n)}:${strangers.port}`;
    });
    const healthy = `${hostAddress(0)}:${world.receiverPort}`;
    await insertFollowers(server.sql, localId(crierNumber(world)), [...many, healthy]);
    begin(stage);
    const times: number[] = [];
    for (let n = 0; n < POSTS; n++) {
      times.push(await post(stage, `${name} ${n}`));
      await sleep(500);
    }
    const what = `copy of a post for a healthy host, beside ${many.length} hosts that ${words}`;
    return [{ what, seen: Math.max(...times), unit: "ms", most: 1000 }];
  },
});

export const slowInboxes: Attack[] = CASES.map(attackOf);
