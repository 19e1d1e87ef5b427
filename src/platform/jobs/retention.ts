// The job that deletes what is old (src/retention.ts says what): each run deletes one slice and enqueues the
// next one as long as there is more, so that other jobs run in between and a process can stop at any time.

import type { App } from "../app.ts";
import type { JobPayloads } from "./index.ts";

declare module "./index.ts" {
  interface JobPayloads {
    /** Delete a slice of this. */
    "retention.due": { what: string };
  }
}

/** Deletes one slice, which is safe to do twice and in two processes at once; true when there may be more. */
export type DeleteSlice = (app: App, now: Date) => Promise<boolean>;

export type RetentionTable = Record<string, DeleteSlice>;

/** One waiting job for each, which lets all others go first. */
export const retentionOptions = (what: string) => ({ key: `retention:${what}`, priority: 10 });

export const runRetention =
  (table: RetentionTable) =>
  async (app: App, { what }: JobPayloads["retention.due"]): Promise<void> => {
    const isMore = await table[what]?.(app, app.clock.now());
    if (isMore) await app.jobs.add(app.sql, "retention.due", { what }, retentionOptions(what));
  };
