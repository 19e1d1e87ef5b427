// What every adapter of the feeds port must do. An adapter's test file calls `feedsContract` and `randomFeedsContract`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { MAX_ID, parsePage } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";
import { falling, feedTools } from "./tools.contract.ts";

/** `make` gives an adapter. */
export const feedsContract = (name: string, make: () => Promise<Feeds> | Feeds): void => {
  let feeds: Feeds;
  const { newKey, filled, push, remove, all } = feedTools(() => feeds);

  before(async () => {
    feeds = await make();
  });
  after(() => feeds.close());

  test(`${name}: a missing feed is null, and pushes and removals leave it missing`, async () => {
    const key = newKey();
    await push([key], "5");
    await remove([key], ["5"]);
    await feeds.fill(key, { ids: ["5"] });
    assert.equal(await all(key), null);
  });

  test(`${name}: an opened feed is null until it is filled, an empty one is an empty page`, async () => {
    const key = newKey();
    assert.equal(await feeds.open(key), true);
    assert.equal(await feeds.open(key), false);
    assert.equal(await all(key), null);
    await feeds.fill(key, { ids: [] });
    assert.deepEqual(await all(key), []);
    assert.equal(await feeds.open(key), false);
  });

  test(`${name}: a feed that was not opened, or not filled yet, is said to be missing`, async () => {
    const [never, opened, ready] = [newKey(), newKey(), await filled(["1"])];
    await feeds.open(opened);
    assert.deepEqual(await feeds.missing([never, opened, ready]), [never, opened]);
    await feeds.fill(opened, { ids: [] });
    await feeds.drop([ready]);
    assert.deepEqual(await feeds.missing([never, opened, ready]), [never, ready]);
    assert.deepEqual(await feeds.missing([]), []);
  });

  test(`${name}: ids come back as text, newest first, each once, in 64 bits`, async () => {
    const big = "9223372036854775806";
    const key = await filled(["7", "900719925474099301", "7", "900719925474099302"]);
    await push([key], big);
    await push([key], "10");
    await push([key], "10");
    const wanted = [big, "900719925474099302", "900719925474099301", "10", "7"];
    assert.deepEqual(await all(key), wanted);
  });

  test(`${name}: pushes between open and fill are merged with what was read`, async () => {
    const key = newKey();
    await feeds.open(key);
    await push([key], "30");
    await push([key], "10");
    await feeds.fill(key, { ids: ["20", "10"] });
    assert.deepEqual(await all(key), ["30", "20", "10"]);
  });

  test(`${name}: what is removed between open and fill stays out`, async () => {
    const key = newKey();
    await feeds.open(key);
    await push([key], "30");
    await remove([key], ["30", "20", "40"]);
    await push([key], "40");
    await feeds.fill(key, { ids: ["40", "30", "20", "10"] });
    assert.deepEqual(await all(key), ["40", "10"]);
    await push([key], "20");
    assert.deepEqual(await all(key), ["40", "20", "10"]);
  });

  test(`${name}: a feed dropped while it is filled stays missing`, async () => {
    const key = newKey();
    await feeds.open(key);
    await feeds.drop([key]);
    await feeds.fill(key, { ids: ["1"] });
    assert.equal(await all(key), null);
    assert.equal(await feeds.open(key), true);
    await feeds.fill(key, { ids: ["2"] });
    assert.deepEqual(await all(key), ["2"]);
  });

  test(`${name}: of a feed in part there are the pages that nothing older can be on`, async () => {
    const key = newKey();
    const ask = (query: object) => feeds.page(key, parsePage(query, 2));
    await feeds.open(key);
    await feeds.fill(key, { ids: ["50", "40", "30"], floor: "30" });
    assert.deepEqual(await feeds.missing([key]), []);
    assert.equal(await feeds.isWhole(key), false);
    await push([key], "10");
    assert.deepEqual(await ask({}), ["50", "40"]);
    assert.deepEqual(await ask({ max_id: "50" }), ["40", "30"]);
    assert.equal(await ask({ max_id: "40" }), null);
    assert.deepEqual(await ask({ max_id: "40", since_id: "35" }), []);
    assert.deepEqual(await ask({ min_id: "30" }), ["50", "40"]);
    assert.equal(await ask({ min_id: "20" }), null);
    assert.equal(await ask({ since_id: "20", limit: 4 }), null);
    // The rest comes, while it is read and changes.
    assert.equal(await feeds.open(key), true);
    assert.equal(await feeds.open(key), false);
    assert.deepEqual(await ask({}), ["50", "40"]);
    await remove([key], ["20", "40"]);
    await push([key], "60");
    await feeds.fill(key, { ids: ["50", "40", "30", "20", "10", "5"] });
    assert.equal(await feeds.isWhole(key), true);
    assert.deepEqual(await all(key), ["60", "50", "30", "10", "5"]);
    assert.equal(await feeds.open(key), false);
  });

  test(`${name}: of many that open at once one fills`, async () => {
    const key = newKey();
    const won = await Promise.all(Array.from({ length: 8 }, () => feeds.open(key)));
    assert.equal(won.filter(Boolean).length, 1);
  });

  test(`${name}: pushes that race with open and fill are all there`, async () => {
    const key = newKey();
    await feeds.open(key);
    const pushed = Array.from({ length: 50 }, (_, n) => String(1000 + n));
    await Promise.all([
      ...pushed.slice(0, 25).map((id) => push([key], id)),
      feeds.fill(key, { ids: ["1", "2"] }),
      ...pushed.slice(25).map((id) => push([key], id)),
    ]);
    assert.deepEqual(await all(key), falling([...pushed, "1", "2"]));
  });

  test(`${name}: what is given twice, or for a feed twice, is there once; others go into others`, async () => {
    const [one, two] = [await filled(["1"]), await filled(["1"])];
    const posts = [
      { keys: [one, one, two], id: "5" },
      { keys: [one], id: "5" },
      { keys: [two], id: "7" },
      { keys: [one, two], id: "6" },
    ];
    assert.deepEqual(await feeds.push(posts), [[], [], [], []]);
    assert.deepEqual(await all(one), ["6", "5", "1"]);
    assert.deepEqual(await all(two), ["7", "6", "5", "1"]);
    assert.deepEqual(await feeds.push([]), []);
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
    const [one, two] = [await filled(["1"]), await filled(["2"])];
    await push([one, two, newKey()], "9");
    assert.deepEqual(
      [await all(one), await all(two)],
      [
        ["9", "1"],
        ["9", "2"],
      ],
    );
    await remove([one, two], ["9", "2"]);
    assert.deepEqual([await all(one), await all(two)], [["1"], []]);
    await feeds.drop([one, two]);
    assert.deepEqual([await all(one), await all(two)], [null, null]);
    await push([], "1");
    await remove([], []);
    await remove([one], []);
    await feeds.drop([]);
  });

  test(`${name}: what is removed together goes from the feeds it is said of`, async () => {
    const [one, two, other] = [await filled(["1", "2"]), await filled(["1", "2"]), newKey()];
    await feeds.remove([
      { keys: [one, other], id: "1" },
      { keys: [two, one], id: "2" },
      { keys: [], id: "3" },
    ]);
    assert.deepEqual(await all(one), []);
    assert.deepEqual(await all(two), ["1"]);
    assert.equal(await all(other), null);
  });

  test(`${name}: it says which feeds left out what is removed`, async () => {
    const [one, two, missing] = [await filled(["1"]), await filled([]), newKey()];
    assert.deepEqual(await push([one, two], "10", "1"), [one]);
    const answer = await feeds.remove([
      { keys: [one, two, missing], id: "10" },
      { keys: [one, two], id: "1" },
      { keys: [one], id: "7" },
    ]);
    assert.deepEqual(answer, [[one], [], []]);
    assert.deepEqual(await feeds.remove([{ keys: [one], id: "10" }]), [[]]);
  });

  test(`${name}: a boost is left out while its post or another boost is among the newest`, async () => {
    const key = await filled(["1", "2"]);
    const [other, missing] = [await filled([]), newKey()];
    assert.deepEqual(await push([key, other, missing], "10", "1"), [key]);
    assert.deepEqual([await all(key), await all(other)], [["2", "1"], ["10"]]);
    assert.deepEqual(await push([key, other], "11", "1"), [key, other]);
    assert.deepEqual(await push([other], "10", "1"), [], "the same again");
    assert.deepEqual(await push([other], "1"), [], "the post itself");
    for (let n = 0; n < REPEAT_SPAN - 2; n++) await push([key], String(100 + n));
    assert.deepEqual(await push([key], "300", "1"), [key], "the last time");
    await push([key], "301");
    assert.deepEqual(await push([key], "302", "1"), []);
    assert.deepEqual((await all(key))!.slice(0, 2), ["302", "301"]);
    assert.deepEqual(await push([key], "303", "1"), [key]);
    await remove([key], ["302"]);
    assert.deepEqual(await push([key], "303", "1"), [], "the other one is gone");
  });

  test(`${name}: a rebuilt feed leaves out the boosts that one pushed to would`, async () => {
    const key = newKey();
    await feeds.open(key);
    await push([key], "30", "5");
    await push([key], "31", "7");
    const boosts = { 20: "5", 21: "6", 22: "6", 9: "8" };
    const read = ["22", "21", "20", "9", "6"];
    await feeds.fill(key, { ids: read, boosts: new Map(Object.entries(boosts)) });
    assert.deepEqual(await all(key), ["31", "20", "9", "6"]);
    assert.deepEqual(await push([key], "32", "7"), [key]);
    assert.deepEqual(await push([key], "33", "8"), [key]);
  });

  test(`${name}: many boosts of many posts`, async () => {
    const key = await filled([]);
    for (let n = 0; n < 300; n++) {
      const id = 10_000 + 3 * n;
      await push([key], String(id), String(1000 + n));
      assert.deepEqual(await push([key], String(id + 1), String(1000 + n)), [key]);
      const near = String(1000 + Math.max(0, n - REPEAT_SPAN + 1));
      assert.deepEqual(await push([key], String(id + 2), near), [key]);
    }
    assert.equal((await all(key))!.length, 300);
    assert.deepEqual(await push([key], "99999999", String(1299 - REPEAT_SPAN)), []);
  });

  test(`${name}: a boost comes when what it repeats is deleted, and goes when its post comes late`, async () => {
    const key = await filled([]);
    await push([key], "10", "1");
    assert.deepEqual(await push([key], "11", "1"), [key]);
    await push([key], "12");
    await remove([key], ["10"]);
    assert.deepEqual(await all(key), ["12", "11"]);
    await push([key], "1");
    assert.deepEqual(await all(key), ["12", "1"]);
    await remove([key], ["1"]);
    assert.deepEqual(await all(key), ["12", "11"]);
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
    assert.deepEqual(await push([key], "3"), [key], "older than everything in the feed");
    assert.deepEqual(await push([key], "4", "1"), [key], "a boost as well");
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
