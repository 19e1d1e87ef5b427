// A person with a million notifications, one who blocks tens of thousands, a list of thousands, a hashtag that most posts
// have: how long their pages take.

import { settled } from "../server.ts";
import { authorNumber, tagName, tokenOf } from "../world.ts";
import {
  insertBlocksOf,
  insertLargeList,
  insertNotificationsOf,
  insertTagEverywhere,
} from "./queries.ts";
import { timed } from "./spot.ts";
import type { Figure, Spot } from "./spot.ts";

const NOTIFICATIONS = 1_000_000;
const BLOCKS = 50_000;
const LIST = 5000;
const TAG = tagName(1);

const counts = { notifications: 0, blocks: 0, list: 0, tagged: 0 };
let listId = "";

export const crowd: Spot = {
  name: "crowd",
  async prepare({ world, server: { sql } }) {
    const of = (count: number): number => Math.max(10, Math.round(count * world.size));
    const [popular, blocker] = [authorNumber(world, 3), 2];
    counts.notifications = await insertNotificationsOf(sql, popular, of(NOTIFICATIONS));
    counts.blocks = await insertBlocksOf(sql, blocker, of(BLOCKS));
    const list = await insertLargeList(sql, 3, of(LIST));
    [listId, counts.list] = [list.id, list.count];
    counts.tagged = await insertTagEverywhere(sql, TAG);
  },
  async run(bench) {
    await settled(bench.server);
    const [popular, blocker, lister] = [authorNumber(bench.world, 3), 2, 3];
    const pages: [what: string, by: number, path: string][] = [
      [
        `a page of ${counts.notifications} notifications`,
        popular,
        "/api/v1/notifications?limit=40",
      ],
      ["the same in groups", popular, "/api/v2/notifications?limit=40"],
      ["how many are unread", popular, "/api/v2/notifications/unread_count"],
      [`the home of one who blocks ${counts.blocks}`, blocker, "/api/v1/timelines/home?limit=40"],
      ["public posts for the same", blocker, "/api/v1/timelines/public?limit=40"],
      ["a page of the blocks", blocker, "/api/v1/blocks?limit=80"],
      [`a list of ${counts.list}`, lister, `/api/v1/timelines/list/${listId}?limit=40`],
      [`a hashtag with ${counts.tagged} posts`, lister, `/api/v1/timelines/tag/${TAG}?limit=40`],
    ];
    const figures: Figure[] = [];
    for (const [what, by, path] of pages) {
      const { ms } = await timed(bench, "GET", path, tokenOf(by));
      figures.push({ what, value: ms, unit: "ms", most: 250 });
    }
    return figures;
  },
};
