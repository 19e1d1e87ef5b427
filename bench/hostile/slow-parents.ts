// Attack: replies whose parents are on a host that never answers, beside an ordinary post and a Follow.

import { setTimeout as sleep } from "node:timers/promises";
import { create, signActivity } from "../activities.ts";
import type { Json } from "../activities.ts";
import { localId, remoteId, signerOf } from "../world.ts";
import type { Attack, Stage } from "./attack.ts";
import { insertFollow, isFollowing } from "./queries.ts";
import { ask, send, sendAll, statusCounts, timeUntil } from "./tools.ts";

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";
/** Numbers of the local reader, of the remote account that they follow, and of the first that follows them. */
const READER = 1;
const FOLLOWED = 1;
const FOLLOWER = 2;

const reply = ({ strangers, world }: Stage, name: string, n: number): Json => {
  const actor = strangers.actorUri(name);
  const id = `${actor}/statuses/${n}`;
  const reader = `${world.origin}/users/u${READER}`;
  const audience = { to: [PUBLIC], cc: [reader] };
  const object = {
    id,
    type: "Note",
    attributedTo: actor,
    content: "<p>yes</p>",
    inReplyTo: `http://${strangers.silent}/notes/${name}-${n}`,
    published: new Date().toISOString(),
    tag: [{ type: "Mention", href: reader, name: `@u${READER}` }],
    ...audience,
  };
  return { id: `${id}/activity`, type: "Create", object, ...audience };
};

export const slowParents: Attack = {
  name: "slow_parents",
  async run(stage) {
    const { world, server, strangers } = stage;
    await insertFollow(server.sql, localId(READER), remoteId(FOLLOWED));
    const actors = stage.of(250, 5);
    const replies = stage.of(1500, 20);
    const requests = Array.from({ length: replies }, (_, n) => () => {
      const name = `crowd${n % actors}`;
      return strangers.sign(name, world.host, reply(stage, name, n));
    });
    const home = async () => (await ask(stage, READER, "/api/v1/timelines/home")).body.toString();
    await home();
    await sleep(500);
    // Posts and Follows are sent while the replies arrive and wait.
    const taken = sendAll(server.port, requests, 16);
    const posts: number[] = [];
    const follows: number[] = [];
    const rounds = stage.of(5, 1);
    for (let n = 0; n < rounds; n++) {
      if (n === 1) stage.say(`replies: ${statusCounts(await taken)}`);
      const activity = create(signerOf(world, FOLLOWED).uri, `quick${n}`);
      const { id } = activity["object"] as { id: string };
      await send(server.port, signActivity(world, FOLLOWED, world.host, activity).bytes);
      posts.push(await timeUntil(async () => (await home()).includes(`"${id}"`), 30));
      const number = FOLLOWER + n;
      const actor = signerOf(world, number).uri;
      const object = `${world.origin}/users/u${20 + n}`;
      await server.sql`DELETE FROM follows WHERE account_id = ${remoteId(number)}`;
      const follow = { id: `${actor}#follows/${n}`, type: "Follow", actor, object };
      await send(server.port, signActivity(world, number, world.host, follow).bytes);
      follows.push(await timeUntil(() => isFollowing(server.sql, actor), 30));
    }
    await taken;
    const what = `while ${replies} replies of ${actors} actors wait for a host that never answers`;
    return [
      {
        what: `post of a followed account, ${what}`,
        seen: Math.max(...posts),
        unit: "ms",
        most: 2000,
      },
      { what: "a Follow meanwhile", seen: Math.max(...follows), unit: "ms", most: 2000 },
    ];
  },
};
