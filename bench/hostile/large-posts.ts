// Attack: mentions of nearly a megabyte by a stranger, as fast as they are accepted.

import { setTimeout as sleep } from "node:timers/promises";
import { drained } from "../server.ts";
import type { Attack, Stage } from "./attack.ts";
import { ask, sendAll, statusCounts, timeUntil, watchMemory } from "./tools.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
const BYTES = 900_000;
const AT_ONCE = 20;
const MB = 1e6;

const mention = ({ strangers, world }: Stage, n: number): Buffer => {
  const actor = strangers.actorUri("large");
  const person = `${world.origin}/users/u1`;
  const id = `${actor}/statuses/${n}`;
  const content = `<p>${"<b>word</b> &amp; ".repeat(BYTES / 18)}</p>`;
  const audience = { to: [PUBLIC], cc: [person] };
  const object = {
    id,
    type: "Note",
    attributedTo: actor,
    content,
    published: new Date().toISOString(),
    tag: [{ type: "Mention", href: person, name: "@u1" }],
    ...audience,
  };
  return strangers.sign("large", world.host, {
    id: `${id}/a`,
    type: "Create",
    object,
    ...audience,
  });
};

export const largePosts: Attack = {
  name: "large_posts",
  async run(stage) {
    const count = stage.of(120, 4);
    await sleep(1000);
    const memory = watchMemory(stage);
    const requests = Array.from({ length: count }, (_, n) => () => mention(stage, n));
    let refused = 0;
    const statuses = await sendAll(stage.server.port, requests, AT_ONCE, (status) => {
      if (status === 202) return true;
      refused += 1;
      return refused > 50 * count;
    });
    stage.say(`posts: ${statusCounts(statuses)}, after ${refused} refusals`);
    await drained(stage.server);
    let page: Buffer = Buffer.alloc(0);
    const isShown = async (): Promise<boolean> => {
      page = (await ask(stage, null, "/api/v1/timelines/public?limit=40")).body;
      return page.includes(`${stage.strangers.actorUri("large")}/statuses/`);
    };
    if ((await timeUntil(isShown, 60)) === Infinity) throw new Error("the posts are not shown");
    const peak = memory.peak();
    await sleep(stage.seconds(20) * 1000);
    const what = `${count} mentions of 900 kB, ${AT_ONCE} at once`;
    return [
      { what: `${what}: growth of memory, at most`, seen: peak, unit: "MB", most: 300 },
      { what: "the same, 20 s after", seen: memory.growth(), unit: "MB", most: 200 },
      { what: "the public page with them", seen: page.length / MB, unit: "MB", most: 13 },
    ];
  },
};
