// The job that deletes old rows and files (src/retention.ts lists them). Each run deletes one slice and enqueues the
// next while there is more, so that other jobs run in between and a process can stop at any time.

import type { App } from "../app.ts";
import { deleteOlder } from "../db/delete-older.ts";
import { addDays } from "../ids/index.ts";
import type { JobPayloads } from "./index.ts";

declare module "./index.ts" {
  interface JobPayloads {
    /** Deletes a slice of what this name in src/retention.ts stands for. */
    "retention.due": { what: string };
  }
}

/** Deletes one slice, which is safe to do twice and in two processes at once; true when there may be more. */
export type DeleteSlice = (app: App, now: Date) => Promise<boolean>;

export type RetentionTable = Record<string, DeleteSlice>;

/** Deletes rows of which nothing is cached, once their `column` is this many days ago. */
export const olderThan =
  (days: number, table: string, column = "created_at"): DeleteSlice =>
  (app, now) =>
    deleteOlder(app.sql, table, column, addDays(now, -days));

export const both =
  (first: DeleteSlice, second: DeleteSlice): DeleteSlice =>
  async (app, now) => {
    const isMore = await first(app, now);
    return (await second(app, now)) || isMore;
  };

/** Gives each kind one waiting job, which all other jobs precede. */
export const retentionOptions = (what: string) => ({ key: `retention:${what}`, priority: 10 });

export const runRetention =
  (table: RetentionTable) =>
  async (app: App, { what }: JobPayloads["retention.due"]): Promise<void> => {
    const isMore = await table[what]?.(app, app.clock.now());
    if (isMore) await app.jobs.add(app.sql, "retention.due", { what }, retentionOptions(what));
  };
