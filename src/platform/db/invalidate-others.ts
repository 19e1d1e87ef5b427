// Telling what was invalidated through the database: commands tell the servers that run, and servers each other while
// Valkey is away.

import type { App } from "../app.ts";
import { perApp } from "../caches/index.ts";
import { onShare, receiveInvalidations } from "./invalidate.ts";
import type { CacheKey } from "./invalidate.ts";

const CHANNEL = "invalidated";
/** A notification takes 8,000 bytes. */
const MAX_BYTES = 7_000;

const chunks = (keys: Iterable<CacheKey>): string[] => {
  const found: string[] = [];
  let chunk = "";
  for (const key of keys) {
    if (chunk.length + key.length > MAX_BYTES) {
      found.push(chunk);
      chunk = "";
    }
    chunk += `${chunk && "\n"}${key}`;
  }
  return chunk ? [...found, chunk] : found;
};

export const notifyInvalidated = async (app: App, keys: Iterable<CacheKey>): Promise<void> => {
  await Promise.all(chunks(keys).map((chunk) => app.sql.notify(CHANNEL, chunk)));
};

/** Tells servers of this database what this process invalidates; `told` waits until they all are. */
export const tellInvalidations = (app: App): { told(): Promise<void> } => {
  const sending: Promise<unknown>[] = [];
  onShare(app.sql, (keys) => sending.push(notifyInvalidated(app, keys)));
  return {
    told: async () => {
      await Promise.all(sending);
    },
  };
};

const hearingOf = perApp("invalidations heard", (app) => ({
  started: app.sql.listen(CHANNEL, (text) =>
    receiveInvalidations(app.sql, text.split("\n") as CacheKey[]),
  ),
  entries: () => 1,
}));

/** Drops what other processes say that they invalidated, from now on. */
export const hearInvalidations = async (app: App): Promise<void> => {
  await hearingOf(app).started;
};
