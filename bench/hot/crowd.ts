// Hot spot: a person with ten million notifications, one who blocks tens of thousands, one who follows as many and
// filters every word, a list of thousands, a hashtag that most posts have: how long their pages take.

import { setTimeout as sleep } from "node:timers/promises";
import { settled } from "../server.ts";
import { authorNumber, tagName, tokenOf } from "../world.ts";
import {
  insertBlocksOf,
  insertFilterOf,
  insertFollowsOf,
  insertLargeList,
  insertNotificationsOf,
  insertTagEverywhere,
} from "./queries.ts";
import { timed } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";

const NOTIFICATIONS = 10_000_000;
const BLOCKS = 50_000;
const LIST = 5000;
const FOLLOWS = 20_000;
const WORDS = 1000;
const TAG = tagName(1);

const counts = { notifications: 0, blocks: 0, list: 0, tagged: 0, follows: 0 };
const [BLOCKER, LISTER, FOLLOWER, FILTERER] = [2, 3, 4, 1];
let listId = "";

export const crowd: Spot = {
  name: "crowd",
  async prepare(bench) {
    const { world } = bench;
    const { sql } = bench.server;
    const of = (count: number): number => Math.max(10, Math.round(count * world.size));
    const popular = authorNumber(world, 3);
    counts.notifications = await insertNotificationsOf(sql, popular, of(NOTIFICATIONS));
    counts.blocks = await insertBlocksOf(sql, BLOCKER, of(BLOCKS));
    const list = await insertLargeList(sql, LISTER, of(LIST));
    [listId, counts.list] = [list.id, list.count];
    counts.tagged = await insertTagEverywhere(sql, TAG);
    counts.follows = await insertFollowsOf(sql, FOLLOWER, of(FOLLOWS));
    await insertFilterOf(sql, FILTERER, WORDS);
  },
  restart: {},
  async run(bench) {
    await settled(bench.server);
    const popular = authorNumber(bench.world, 3);
    const home = "/api/v1/timelines/home?limit=40";
    const middle = BigInt(Date.now() - counts.notifications * 50) << 16n;
    const pages: [what: string, by: number, path: string][] = [
      [
        `a page of ${counts.notifications} notifications`,
        popular,
        "/api/v1/notifications?limit=40",
      ],
      [
        "a page from the middle of them",
        popular,
        `/api/v1/notifications?limit=40&max_id=${middle}`,
      ],
      ["the same in groups", popular, "/api/v2/notifications?limit=40"],
      ["how many are unread", popular, "/api/v2/notifications/unread_count"],
      [`the home of one who blocks ${counts.blocks}`, BLOCKER, home],
      ["public posts for the same", BLOCKER, "/api/v1/timelines/public?limit=40"],
      ["a page of the blocks", BLOCKER, "/api/v1/blocks?limit=80"],
      [`the first home page of one who follows ${counts.follows} more`, FOLLOWER, home],
      ["the same once more", FOLLOWER, home],
      [`the home of one with a filter of ${WORDS} words`, FILTERER, home],
      [`a list of ${counts.list}`, LISTER, `/api/v1/timelines/list/${listId}?limit=40`],
      [`a hashtag with ${counts.tagged} posts`, LISTER, `/api/v1/timelines/tag/${TAG}?limit=40`],
    ];
    const figures: Figure[] = [];
    for (const [what, by, path] of pages) {
      const { ms } = await timed(bench, "GET", path, tokenOf(by));
      figures.push({ what, value: ms, unit: "ms", most: 250 });
    }
    const { ms } = await timed(bench, "POST", "/api/v1/notifications/clear", tokenOf(popular));
    figures.push({ what: "clearing the notifications", value: ms, unit: "ms", most: 250 });
    // Everybody else keeps reading while the first of them are deleted.
    await sleep(bench.seconds * 1000);
    return figures;
  },
};
