// Following a tag: public posts with it are in the home feed.

import type { App } from "../../platform/app.ts";
import { invalidateFeeds } from "../relationships/changed.ts";
import { deleteTagFollow, insertNames, insertTagFollow } from "./queries-write.ts";
import type { TagName } from "./rules.ts";

/** Idempotent. */
export const followTag = async (app: App, accountId: string, tag: TagName): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await insertNames(tx, [tag]);
    await insertTagFollow(tx, accountId, tag.name);
  });
  await invalidateFeeds(app, [accountId]);
};

/** Nothing to end is no error. */
export const unfollowTag = async (app: App, accountId: string, tag: TagName): Promise<void> => {
  await deleteTagFollow(app.sql, accountId, tag.name);
  await invalidateFeeds(app, [accountId]);
};
