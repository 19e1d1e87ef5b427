// Tests what every adapter of the feeds port must do. An adapter's test file calls `feedsContract` and
// `randomFeedsContract`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parsePage } from "../db/paging.ts";
import { MAX_ID } from "../ids/index.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";
import { falling, feedTools } from "./tools.contract.ts";

/** `make` creates an adapter. */
export const feedsContract = (name: string, make: () => Promise<Feeds> | Feeds): void => {
  let feeds: Feeds;
  const { newKey, fill, filled, opened, push, remove, all } = feedTools(() => feeds);

  before(async () => {
    feeds = await make();
  });
  after(() => feeds.close());

  test(`${name}: a missing feed is null, and pushes and removals leave it missing`, async () => {
    const key = newKey();
    await push([key], "5");
    await remove([key], ["5"]);
    assert.equal(await all(key), null);
  });

  test(`${name}: a feed is null until it is filled, once; an empty one is an empty page`, async () => {
    const { key, end } = await opened();
    assert.equal(await all(key), null);
    assert.equal(await feeds.page(key, parsePage({ limit: 0 }, 20)), null);
    await fill(key, { ids: ["1"] });
    assert.equal(await all(key), null, "somebody else fills it");
    await end({ ids: [] });
    assert.deepEqual(await all(key), []);
    await fill(key, { ids: ["1"] });
    assert.deepEqual(await all(key), [], "it is whole");
  });

  test(`${name}: a feed that was never filled, or is not filled yet, is missing`, async () => {
    const [never, { key, end }, ready] = [newKey(), await opened(), await filled(["1"])];
    const states = () => Promise.all([never, key, ready].map((state) => feeds.state(state)));
    assert.deepEqual(await states(), ["missing", "missing", "whole"]);
    await end({ ids: [] });
    await feeds.drop([ready]);
    assert.deepEqual(await states(), ["missing", "whole", "missing"]);
  });

  test(`${name}: what cannot be read is tried again by the next`, async () => {
    const key = newKey();
    const failing = feeds.fill(key, () => Promise.reject(new Error("no database")));
    await assert.rejects(failing, /no database/);
    assert.equal(await feeds.state(key), "missing");
    await fill(key, { ids: ["1"] });
    assert.deepEqual(await all(key), ["1"]);
  });

  test(`${name}: ids come back as text, newest first, each once, in 64 bits`, async () => {
    const big = "9223372036854775806";
    const key = await filled(["7", "900719925474099301", "7", "900719925474099302"]);
    await push([key], big);
    await push([key], "10");
    await push([key], "10");
    const expected = [big, "900719925474099302", "900719925474099301", "10", "7"];
    assert.deepEqual(await all(key), expected);
  });

  test(`${name}: what is pushed while it is filled is merged with what was read`, async () => {
    const { key, end } = await opened();
    await push([key], "30");
    await push([key], "10");
    await end({ ids: ["20", "10"] });
    assert.deepEqual(await all(key), ["30", "20", "10"]);
  });

  test(`${name}: after a removal what was read meanwhile is not taken: it may have that`, async () => {
    const first = await opened();
    await push([first.key], "30");
    await remove([first.key], ["20"]);
    const second = await opened(first.key);
    await first.end({ ids: ["20", "10"] });
    assert.equal(await all(first.key), null, "nor for who fills it now");
    await second.end({ ids: ["10"] });
    assert.deepEqual(await all(first.key), ["30", "10"]);
    await push([first.key], "20");
    assert.deepEqual(await all(first.key), ["30", "20", "10"]);
  });

  test(`${name}: a feed dropped while it is filled stays missing`, async () => {
    const first = await opened();
    await feeds.drop([first.key]);
    await first.end({ ids: ["1"] });
    assert.equal(await all(first.key), null);
    const second = await opened();
    await feeds.drop([second.key]);
    await fill(second.key, { ids: ["2"] });
    await second.end({ ids: ["1"] });
    assert.deepEqual(await all(second.key), ["2"]);
  });

  test(`${name}: of a feed in part there are the pages that nothing older can be on`, async () => {
    const key = newKey();
    const ask = (query: object) => feeds.page(key, parsePage(query, 2));
    await fill(key, { ids: ["50", "40", "30"], floor: "30" });
    assert.equal(await feeds.state(key), "part");
    await push([key], "10");
    assert.deepEqual(await ask({}), ["50", "40"]);
    assert.deepEqual(await ask({ max_id: "50" }), ["40", "30"]);
    assert.equal(await ask({ max_id: "40" }), null);
    assert.deepEqual(await ask({ max_id: "40", since_id: "35" }), []);
    assert.deepEqual(await ask({ min_id: "30" }), ["50", "40"]);
    assert.equal(await ask({ min_id: "20" }), null);
    assert.equal(await ask({ since_id: "20", limit: 4 }), null);
    // The rest of the feed is filled in while the feed is read and changes.
    const { end } = await opened(key);
    assert.deepEqual(await ask({}), ["50", "40"]);
    await push([key], "60");
    await push([key], "20");
    await end({ ids: ["50", "40", "30", "15", "10", "5"] });
    assert.equal(await feeds.state(key), "whole");
    assert.deepEqual(await all(key), ["60", "50", "40", "30", "20", "15", "10", "5"]);
  });

  test(`${name}: of a feed in part a boost is shown where what it may repeat is known`, async () => {
    const key = newKey();
    const ids = Array.from({ length: REPEAT_SPAN + 20 }, (_, n) => String(1000 + n)).toReversed();
    const boosts = new Map([["1010", "5"]]);
    await fill(key, { ids, boosts, floor: "1000" });
    const ask = (query: object) => feeds.page(key, parsePage(query, 5));
    assert.deepEqual(await ask({ max_id: "1010" }), ["1009", "1008", "1007", "1006", "1005"]);
    assert.equal(await ask({ max_id: "1012" }), null, "a boost of 5 may be right below the floor");
    await push([key], String(1000 + REPEAT_SPAN + 20), "6");
    assert.equal((await ask({}))?.[0], String(1000 + REPEAT_SPAN + 20));
    const { end } = await opened(key);
    await end({ ids: [...ids, "999"], boosts: new Map([...boosts, ["999", "5"]]) });
    assert.deepEqual(await ask({ max_id: "1012" }), ["1011", "1009", "1008", "1007", "1006"]);
  });

  test(`${name}: of many that begin at once one fills`, async () => {
    const key = newKey();
    let reads = 0;
    const read = async () => ({ ids: [String((reads += 1))] });
    await Promise.all(Array.from({ length: 8 }, () => feeds.fill(key, read)));
    assert.deepEqual([reads, await all(key)], [1, ["1"]]);
  });

  test(`${name}: pushes that race with a filling are all there`, async () => {
    const { key, end } = await opened();
    const pushed = Array.from({ length: 50 }, (_, n) => String(1000 + n));
    await Promise.all([
      ...pushed.slice(0, 25).map((id) => push([key], id)),
      end({ ids: ["1", "2"] }),
      ...pushed.slice(25).map((id) => push([key], id)),
    ]);
    assert.deepEqual(await all(key), falling([...pushed, "1", "2"]));
  });

  test(`${name}: what is given twice, or for a feed twice, is there once; others go into others`, async () => {
    const [first, second] = [await filled(["1"]), await filled(["1"])];
    const posts = [
      { keys: [first, first, second], id: "5" },
      { keys: [first], id: "5" },
      { keys: [second], id: "7" },
      { keys: [first, second], id: "6" },
    ];
    await feeds.push(posts);
    assert.deepEqual(await all(first), ["6", "5", "1"]);
    assert.deepEqual(await all(second), ["7", "6", "5", "1"]);
    await feeds.push([]);
  });

  test(`${name}: more at once than a feed keeps`, async () => {
    const key = await filled(["1"]);
    const ids = Array.from({ length: FEED_LENGTH + 150 }, (_, n) => String(1000 + n));
    for (let from = 0; from < ids.length; from += 190) {
      await feeds.push(ids.slice(from, from + 190).map((id) => ({ keys: [key], id })));
    }
    assert.deepEqual(await all(key), falling(ids).slice(0, FEED_LENGTH));
  });

  test(`${name}: several keys at once, and each feed is its own`, async () => {
    const [first, second] = [await filled(["1"]), await filled(["2"])];
    await push([first, second, newKey()], "9");
    assert.deepEqual(
      [await all(first), await all(second)],
      [
        ["9", "1"],
        ["9", "2"],
      ],
    );
    await remove([first, second], ["9", "2"]);
    assert.deepEqual([await all(first), await all(second)], [["1"], []]);
    await feeds.drop([first, second]);
    assert.deepEqual([await all(first), await all(second)], [null, null]);
    await push([], "1");
    await remove([], []);
    await remove([first], []);
    await feeds.drop([]);
  });

  test(`${name}: what is removed together goes from the feeds it is said of`, async () => {
    const [first, second, other] = [await filled(["1", "2"]), await filled(["1", "2"]), newKey()];
    await feeds.remove([
      { keys: [first, other], id: "1" },
      { keys: [second, first], id: "2" },
      { keys: [], id: "3" },
    ]);
    assert.deepEqual(await all(first), []);
    assert.deepEqual(await all(second), ["1"]);
    assert.equal(await all(other), null);
  });

  test(`${name}: a boost is left out while its post or another boost is among the newest`, async () => {
    const key = await filled(["1", "2"]);
    const [other, missing] = [await filled([]), newKey()];
    await push([key, other, missing], "10", "1");
    assert.deepEqual([await all(key), await all(other)], [["2", "1"], ["10"]]);
    await push([key, other], "11", "1");
    await push([other], "10", "1");
    await push([other], "1");
    assert.deepEqual(await all(other), ["1"], "its post came late");
    for (let n = 0; n < REPEAT_SPAN - 2; n++) await push([key], String(100 + n));
    const newest = async () => (await feeds.page(key, parsePage({ limit: 2 }, 20)))!;
    await push([key], "300", "1");
    assert.deepEqual((await newest())[0], "137", "the last time");
    await push([key], "301");
    await push([key], "302", "1");
    assert.deepEqual(await newest(), ["302", "301"]);
    await push([key], "303", "1");
    assert.deepEqual(await newest(), ["302", "301"]);
    await remove([key], ["302"]);
    assert.deepEqual(await newest(), ["303", "301"], "the other one is gone");
  });

  test(`${name}: a rebuilt feed leaves out the boosts that one pushed to would`, async () => {
    const { key, end } = await opened();
    await push([key], "30", "5");
    await push([key], "31", "7");
    const boosts = new Map(Object.entries({ 20: "5", 21: "6", 22: "6", 9: "8" }));
    await end({ ids: ["22", "21", "20", "9", "6"], boosts });
    assert.deepEqual(await all(key), ["31", "20", "9", "6"]);
    await push([key], "32", "7");
    await push([key], "33", "8");
    assert.deepEqual(await all(key), ["31", "20", "9", "6"]);
  });

  test(`${name}: many boosts of many posts`, async () => {
    const key = await filled([]);
    const shown: string[] = [];
    for (let n = 0; n < 250; n++) {
      const id = 10_000 + 3 * n;
      const near = String(1000 + Math.max(0, n - REPEAT_SPAN + 1));
      shown.unshift(String(id));
      await push([key], String(id), String(1000 + n));
      await push([key], String(id + 1), String(1000 + n));
      await push([key], String(id + 2), near);
    }
    assert.deepEqual(await all(key), shown);
    await push([key], "99999999", String(1249 - REPEAT_SPAN));
    assert.deepEqual((await all(key))![0], "99999999");
  });

  test(`${name}: a boost comes when what it repeats is deleted, and goes when its post comes late`, async () => {
    const key = await filled([]);
    await push([key], "10", "1");
    await push([key], "11", "1");
    await push([key], "12");
    assert.deepEqual(await all(key), ["12", "10"]);
    await remove([key], ["10"]);
    assert.deepEqual(await all(key), ["12", "11"]);
    await push([key], "1");
    assert.deepEqual(await all(key), ["12", "1"]);
    await remove([key], ["1"]);
    assert.deepEqual(await all(key), ["12", "11"]);
  });

  test(`${name}: pages are full, and a page does not change what the next one shows`, async () => {
    const ids = Array.from({ length: 400 }, (_, n) => String(1000 + n));
    const boosts = new Map(ids.filter((_, n) => n % 3 > 0).map((id) => [id, String(+id % 20)]));
    const key = newKey();
    await fill(key, { ids, boosts });
    const shown = (await all(key))!;
    assert.ok(shown.length < 300, `${shown.length}`);
    const down: string[] = [];
    const up: string[] = [];
    for (let n = 0; n < shown.length; n += 7) {
      down.push(...(await feeds.page(key, parsePage({ limit: 7, max_id: down.at(-1) }, 20)))!);
      up.unshift(...(await feeds.page(key, parsePage({ limit: 7, min_id: up[0] ?? "0" }, 20)))!);
      assert.equal(down.length, Math.min(shown.length, n + 7));
    }
    assert.deepEqual([down, up], [shown, shown]);
  });

  test(`${name}: a page that was asked for before shows what came and went since`, async () => {
    const key = await filled(["1", "2", "4"]);
    const newest = (limit: number) => feeds.page(key, parsePage({ limit }, 20));
    assert.deepEqual(await newest(2), ["4", "2"]);
    await push([key], "3");
    assert.deepEqual(await newest(2), ["4", "3"]);
    assert.deepEqual(await newest(3), ["4", "3", "2"]);
    await remove([key], ["3"]);
    assert.deepEqual(await newest(3), ["4", "2", "1"]);
  });

  test(`${name}: a feed has the newest ${FEED_LENGTH}`, async () => {
    const ids = Array.from({ length: FEED_LENGTH + 50 }, (_, n) => String(n + 1));
    const key = await filled(ids);
    assert.deepEqual(await all(key), falling(ids).slice(0, FEED_LENGTH));
    await push([key], "100000");
    const now = (await all(key))!;
    assert.equal(now.length, FEED_LENGTH);
    assert.deepEqual([now[0], now.at(-1)], ["100000", "52"]);
    await push([key], "3");
    await push([key], "4", "1");
    assert.deepEqual(await all(key), now);
  });

  test(`${name}: edges beyond 64 bits' ends and negative ones`, async () => {
    const key = await filled(["1", "2", "3"]);
    const page = (query: object) => feeds.page(key, parsePage(query, 20));
    assert.deepEqual(await page({ max_id: MAX_ID }), ["3", "2", "1"]);
    assert.deepEqual(await page({ max_id: `-${MAX_ID}` }), []);
    assert.deepEqual(await page({ min_id: MAX_ID }), []);
    assert.deepEqual(await page({ min_id: "-1", limit: "2" }), ["2", "1"]);
    assert.deepEqual(await page({ since_id: "-1", limit: "2" }), ["3", "2"]);
    assert.deepEqual(await page({ max_id: "1", min_id: "3" }), []);
  });
};
