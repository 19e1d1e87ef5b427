// A window that stays open: what streams bring is bounded, in lists and in the store, and is what is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Status } from "../../web/src/api/entities.ts";
import { arriveOne, catchUp, feedState, showWaiting } from "../../web/src/store/feed.ts";
import type { FeedData } from "../../web/src/store/feed.ts";
import { createStore, forgetUnused, keepStatus } from "../../web/src/store/store.ts";

const FIRST = 100_000_000;
const ARRIVALS = 2000;
/** Of the list, of what is shown at most, and of what waits. */
const MAX_LISTED = 200;

const status = (number: number, reblog: Status | null = null): Status =>
  ({ id: String(FIRST + number), reblog, in_reply_to_id: null }) as Status;

test("a list that is read at its top keeps its newest posts, and goes on below", () => {
  const store = createStore();
  const data: FeedData = { path: "/api/v1/timelines/home", params: {}, ids: [], next: null };
  const state = feedState(data);
  for (let number = 0; number < ARRIVALS; number += 1) {
    arriveOne(store, state, status(number));
    showWaiting(state);
  }
  const ids = state.ids.peek();
  assert.equal(ids.length, MAX_LISTED);
  assert.equal(ids[0], String(FIRST + ARRIVALS - 1));
  assert.deepEqual(state.next.peek(), { max_id: ids.at(-1) });
});

test("missed posts are asked for until the end, also above those that are hidden from the reader", async () => {
  const store = createStore();
  const ids = [keepStatus(store, status(0))];
  const state = feedState({ path: "/api/v1/timelines/public", params: {}, ids, next: null });
  const pages: Record<number, { body: Status[]; newerFrom: number }> = {
    0: { body: [], newerFrom: 1000 },
    1000: { body: [status(1500)], newerFrom: 2000 },
    2000: { body: [status(2002)], newerFrom: 2002 },
  };
  const asked: number[] = [];
  const get = async (_path: string, { min_id: after }: { min_id: string }) => {
    asked.push(Number(after) - FIRST);
    const { body, newerFrom } = pages[asked.at(-1)!]!;
    return { body, newerFrom: String(FIRST + newerFrom) };
  };
  await catchUp({ get: get as never, store }, state);
  assert.deepEqual(asked, [0, 1000, 2000]);
  assert.deepEqual(
    state.waiting.peek(),
    [2002, 1500].map((number) => String(FIRST + number)),
  );
  assert.equal(state.isBehind.peek(), false);
});

test("what a stream brings while missed posts are asked for is above them, and hides none", async () => {
  const store = createStore();
  const ids = [keepStatus(store, status(0))];
  const stream = { stream: "user" };
  const home = { path: "/api/v1/timelines/home", params: {}, next: null, stream };
  const state = feedState({ ...home, ids });
  const missed = Array.from({ length: 60 }, (_, n) => status(60 - n));
  const get = async (_path: string, { min_id: after }: { min_id: string }) => {
    arriveOne(store, state, status(100));
    const newer = missed.filter(({ id }) => Number(id) > Number(after));
    return { body: newer.slice(-40), newerFrom: null };
  };
  await catchUp({ get: get as never, store }, state);
  const all = [status(100), ...missed].map(({ id }) => id);
  assert.deepEqual(state.waiting.peek(), all);
  assert.equal(state.isBehind.peek(), false);

  const empty = feedState({ ...home, ids: [] });
  const many = async () => ({ body: missed.slice(0, 40), newerFrom: missed[0]!.id });
  await catchUp({ get: many as never, store }, empty);
  assert.equal(empty.isBehind.peek(), true, "an empty list may have missed more than a page");
});

test("the store forgets what nothing shows, and keeps what is boosted", () => {
  const store = createStore();
  for (let number = 0; number < ARRIVALS; number += 1) keepStatus(store, status(number));
  const boost = keepStatus(store, status(ARRIVALS + 1, status(ARRIVALS)));
  forgetUnused(store, new Set([String(FIRST), boost]));
  assert.deepEqual([...store.statuses.keys()], [FIRST, FIRST + ARRIVALS, boost].map(String));
});

test("what a newer post lacks is gone, except for the person's marks in an event for many", () => {
  const store = createStore();
  const own = { ...status(1), favourited: true, muted: false, pinned: true };
  const id = keepStatus(store, { ...own, reactions: [{ name: "🦉", count: 1 }] });
  keepStatus(store, status(1));
  assert.deepEqual(store.statuses.get(id)!.peek(), own);
  keepStatus(store, { ...status(1), favourited: false });
  assert.deepEqual(store.statuses.get(id)!.peek(), { ...status(1), favourited: false });
});
