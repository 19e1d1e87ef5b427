// Drops feeds and fills them again for an administrator who suspects a fault in them.

import type { JobHandler } from "../../../platform/jobs/table.ts";
import { invalidateFeeds } from "../../people/relationships/changed.ts";
import { rebuildFeed } from "./feed.ts";
import { homeFeed } from "./home.ts";
import { listFeed } from "./list-feed.ts";
import { selectListsOf } from "./queries-home.ts";

declare module "../../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Drop the homes and lists of these people; with `build` fill them again at once. */
    "feeds.renew": { accountIds: string[]; build: boolean };
  }
}

/** People that one job is about. */
export const ACCOUNTS_PER_RESET_JOB = 50;

/** Handles the job `feeds.renew`: a process that holds feeds runs it, or all share those in Valkey. */
export const resetFeeds: JobHandler<"feeds.renew"> = async (app, { accountIds, build }) => {
  await invalidateFeeds(app, accountIds);
  if (!build) return;
  const lists = await selectListsOf(app.sql, accountIds);
  const feeds = [
    ...accountIds.map((id) => homeFeed(app, id)),
    ...lists.map(({ id }) => listFeed(app, id)),
  ];
  for (const feed of feeds) await rebuildFeed(app, feed);
};
