// Passes invalidations between processes by NOTIFY: from commands to running servers, and between servers while Valkey
// is away.

import type { App } from "../app.ts";
import { perApp } from "../caches/index.ts";
import { onShare, receiveInvalidations } from "./commits.ts";
import type { CacheKey } from "./commits.ts";

const CHANNEL = "invalidated";
/** Bytes of a notification; PostgreSQL allows 8,000. */
const MAX_BYTES = 7_000;

const chunks = (keys: Iterable<CacheKey>): string[] => {
  const kinds: string[] = [];
  let chunk = "";
  for (const key of keys) {
    if (chunk.length + key.length > MAX_BYTES) {
      kinds.push(chunk);
      chunk = "";
    }
    chunk += `${chunk && "\n"}${key}`;
  }
  return chunk ? [...kinds, chunk] : kinds;
};

export const notifyInvalidated = async (app: App, keys: Iterable<CacheKey>): Promise<void> => {
  await Promise.all(chunks(keys).map((chunk) => app.sql.notify(CHANNEL, chunk)));
};

/** Sends what this process invalidates to the servers of this database; `sent` waits until everything is sent. */
export const shareInvalidations = (app: App): { sent(): Promise<void> } => {
  const sending: Promise<unknown>[] = [];
  onShare(app.sql, (keys) => sending.push(notifyInvalidated(app, keys)));
  return {
    sent: async () => {
      await Promise.all(sending);
    },
  };
};

const receiverOf = perApp("invalidations received", (app) => ({
  started: app.sql.listen(CHANNEL, (text) =>
    receiveInvalidations(app.sql, text.split("\n") as CacheKey[]),
  ),
  entries: () => 1,
}));

/** Starts to drop here what other processes invalidate. */
export const receiveOthersInvalidations = async (app: App): Promise<void> => {
  await receiverOf(app).started;
};
