// Commands write to the database of a running server: what they invalidate is told to it by NOTIFY.

import type { App } from "../app.ts";
import { invalidate, onInvalidate } from "./invalidate.ts";
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

/** Tells servers of this database what this process invalidates; `told` waits until they all are. */
export const tellInvalidations = (app: App): { told(): Promise<void> } => {
  const sending: Promise<unknown>[] = [];
  onInvalidate(app.sql, (keys) => {
    for (const chunk of chunks(keys)) sending.push(Promise.resolve(app.sql.notify(CHANNEL, chunk)));
  });
  return {
    told: async () => {
      await Promise.all(sending);
    },
  };
};

/** Drops what other processes say that they invalidated. */
export const hearInvalidations = async (app: App): Promise<void> => {
  await app.sql.listen(CHANNEL, (text) => invalidate(app.sql, ...(text.split("\n") as CacheKey[])));
};
