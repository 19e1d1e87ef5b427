// Helpers that the contract tests of the feeds port share.

import { parsePage } from "../db/paging.ts";
import type { FeedContent, Feeds } from "./index.ts";

export const ALL = parsePage({ limit: "5000" }, 5000);

export const falling = (ids: string[]): string[] =>
  ids.toSorted((a, b) => (BigInt(a) > BigInt(b) ? -1 : 1));

/** Each key is new, so that the tests can use a shared store. */
export const feedTools = (feeds: () => Feeds) => {
  let number = 0;
  const run = `${Date.now()}-${Math.random()}`;
  const newKey = () => `contract:${run}:${number++}`;
  const fill = (key: string, content: FeedContent) => feeds().fill(key, async () => content);
  return {
    newKey,
    fill,
    push: (keys: string[], id: string, of: string | null = null) =>
      feeds().push([{ keys, id, of }]),
    async filled(ids: string[]) {
      const key = newKey();
      await fill(key, { ids });
      return key;
    },
    /** Starts to fill a feed; the returned `end` finishes it. */
    async opened(key = newKey()) {
      const { promise: content, resolve } = Promise.withResolvers<FeedContent>();
      const { promise: began, resolve: begin } = Promise.withResolvers<void>();
      const ended = feeds().fill(key, () => (begin(), content));
      await began;
      return { key, end: (read: FeedContent) => (resolve(read), ended) };
    },
    remove: (keys: string[], ids: string[]) => feeds().remove(ids.map((id) => ({ keys, id }))),
    all: (key: string) => feeds().page(key, ALL),
  };
};
