// What the contract tests of the feeds port share.

import assert from "node:assert/strict";
import { parsePage } from "../db/paging.ts";
import type { Feeds } from "./index.ts";

export const ALL = parsePage({ limit: "5000" }, 5000);

export const falling = (ids: string[]): string[] =>
  ids.toSorted((a, b) => (BigInt(a) > BigInt(b) ? -1 : 1));

/** `key` in the tests is new each time, so that a shared store will do. */
export const feedTools = (feeds: () => Feeds) => {
  let made = 0;
  const run = `${Date.now()}-${Math.random()}`;
  const newKey = () => `contract:${run}:${made++}`;
  const push = async (keys: string[], id: string, of: string | null = null): Promise<string[]> => {
    const [leftOut] = await feeds().push([{ keys, id, of }]);
    return leftOut!;
  };
  return {
    newKey,
    push,
    async filled(ids: string[]) {
      const key = newKey();
      assert.equal(await feeds().open(key), true);
      await feeds().fill(key, { ids });
      return key;
    },
    remove: (keys: string[], ids: string[]) => feeds().remove(ids.map((id) => ({ keys, id }))),
    all: (key: string) => feeds().page(key, ALL),
  };
};
