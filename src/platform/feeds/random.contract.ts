// Tests that push to, remove from and read feeds in random order, compared with simple models and with the feeds in
// memory.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { seeded } from "../../../test/seeded.ts";
import { MAX_ID } from "../ids/index.ts";
import type { Page } from "../db/paging.ts";
import type { Feeds } from "./index.ts";
import { memoryFeeds } from "./memory.ts";
import { ALL, falling, feedTools } from "./tools.contract.ts";

/** Returns a function that makes random numbers below `limit`. */
const numbers = (seed: number) => {
  const random = seeded(seed);
  return (limit: number) => Math.floor(random() * limit);
};

/** The simplest implementation of keyset paging, to compare with; `ids` descend. */
const naivePage = (ids: string[], page: Page): string[] => {
  const above = BigInt(page.minId ?? page.sinceId ?? `-${MAX_ID}`);
  const below = BigInt(page.maxId ?? MAX_ID);
  const within = ids.filter((id) => BigInt(id) > above && BigInt(id) < below);
  if (page.minId === null) return within.slice(0, page.limit);
  return page.limit === 0 ? [] : within.slice(-page.limit);
};

/** `make` creates an adapter. */
export const randomFeedsContract = (name: string, make: () => Promise<Feeds> | Feeds): void => {
  let feeds: Feeds;
  const { newKey, fill, filled, push, remove, all } = feedTools(() => feeds);

  before(async () => {
    feeds = await make();
  });
  after(() => feeds.close());

  test(`${name}: many at once are as one after the other`, async () => {
    const random = numbers(20_261_123);
    for (let n = 0; n < 30; n++) {
      const content = Array.from({ length: random(30) }, () => String(1 + random(60)));
      const keys = [await filled(content), await filled(content), newKey()];
      const [alone, turned] = [await filled(content), await filled(content)];
      const ids = new Set(Array.from({ length: 1 + random(12) }, () => String(61 + random(100))));
      const posts = falling([...ids])
        .toReversed()
        .map((id) => ({ id, of: random(3) === 0 ? String(1 + random(60)) : null }));
      await feeds.push(posts.map((post) => ({ ...post, keys })));
      for (const { id, of } of posts) await push([alone], id, of);
      assert.deepEqual(await all(keys[0]!), await all(alone));
      assert.deepEqual(await all(keys[1]!), await all(alone));
      assert.equal(await all(keys[2]!), null);
      await feeds.push(posts.toReversed().map((post) => ({ ...post, keys: [turned] })));
      assert.deepEqual(await all(turned), await all(alone), "in any order");
    }
  });

  test(`${name}: many that come late together are as one after the other`, async () => {
    const random = numbers(20_261_124);
    for (let n = 0; n < 30; n++) {
      const content = Array.from({ length: 1 + random(300) }, () => String(100 + random(1000)));
      const [key, alone] = [await filled(content), await filled(content)];
      const posts = Array.from({ length: 1 + random(40) }, () => String(900 + random(300)));
      await feeds.push(posts.map((id) => ({ keys: [key], id })));
      for (const id of posts) await push([alone], id);
      assert.deepEqual(await all(key), await all(alone));
      assert.deepEqual(await all(key), falling([...new Set([...content, ...posts])]));
    }
  });

  test(`${name}: posts and boosts that come late, near the end of a feed or far from it, are as in memory`, async () => {
    const random = numbers(20_261_125);
    const reference = memoryFeeds();
    for (let n = 0; n < 25; n++) {
      const key = await filled(["1"]);
      await reference.fill(key, async () => ({ ids: ["1"] }));
      const span = 200 + random(2000);
      const originals = 2 + random(400);
      const boosts = new Map<string, string | null>();
      const draw = (from: number) => {
        const id = String(from + random(Math.max(1, span - from)));
        // A boost never changes what it boosts.
        if (!boosts.has(id)) boosts.set(id, random(3) === 0 ? null : String(1 + random(originals)));
        return { keys: [key], id, of: boosts.get(id)! };
      };
      for (let batch = 0; batch < 12; batch++) {
        const from = random(3) === 0 ? 1 : Math.floor(span * 0.8);
        const posts = Array.from({ length: 1 + random(80) }, () => draw(from));
        await feeds.push(posts);
        for (const post of posts) await reference.push([post]);
        assert.deepEqual(await all(key), await reference.page(key, ALL));
        const post = draw(1);
        for (const some of [feeds, reference]) await some.push([post]);
        assert.deepEqual(await all(key), await reference.page(key, ALL));
        const gone = [draw(1), post];
        for (const some of [feeds, reference]) await some.remove(gone);
        assert.deepEqual(await all(key), await reference.page(key, ALL));
      }
    }
  });

  test(`${name}: in whatever order things come and go, it is as if it were rebuilt`, async () => {
    const random = numbers(20_261_122);
    for (let round = 0; round < 40; round++) {
      const [originals, span] = [1 + random(8), 20 + random(300)];
      const boosts = new Map<string, string>();
      const ids = new Set<string>();
      const key = await filled([]);
      for (let step = 0; step < 150; step++) {
        const id = String(1 + random(span));
        if (random(4) === 0) {
          await remove([key], [id]);
          ids.delete(id);
          continue;
        }
        // A boost never changes what it boosts.
        if (!boosts.has(id)) boosts.set(id, random(2) === 0 ? "" : String(1 + random(originals)));
        await push([key], id, boosts.get(id) || null);
        ids.add(id);
      }
      const rebuilt = newKey();
      const known = [...boosts].filter(([id, of]) => of !== "" && ids.has(id));
      await fill(rebuilt, { ids: falling([...ids]), boosts: new Map(known) });
      assert.deepEqual(await all(key), await all(rebuilt));
    }
  });

  test(`${name}: pages are those of a naive model`, async () => {
    const random = numbers(20_260_801);
    for (let round = 0; round < 30; round++) {
      const span = 1 + random(60);
      const ids = new Set(Array.from({ length: random(40) }, () => String(1 + random(span))));
      const key = await filled([...ids]);
      for (let step = 0; step < 25; step++) {
        const id = String(1 + random(span));
        if (random(2) === 0) {
          await push([key], id);
          ids.add(id);
        } else {
          await remove([key], [id]);
          ids.delete(id);
        }
        const edge = () => (random(2) === 0 ? null : String(random(span + 3)));
        const page = { maxId: edge(), sinceId: edge(), minId: edge(), limit: random(12) };
        const expected = naivePage(falling([...ids]), page);
        assert.deepEqual(
          await feeds.page(key, page),
          expected,
          JSON.stringify({ page, round, step }),
        );
      }
    }
  });
};
