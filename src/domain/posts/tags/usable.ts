// Refuses hashtags that moderators forbid in new posts of local people.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { normaliseTag } from "../../../platform/text/tags.ts";
import { selectUnusable } from "./queries-review.ts";

const unusableTags = listenedValue<ReadonlySet<string>>({
  name: "unusable tags",
  channel: "settings",
  key: "tags:",
  read: async (db) => new Set(await selectUnusable(db)),
});

/** Throws 422 where one of the tags is forbidden, with the text that clients of Mastodon show. */
export const checkTags = async (app: App, tags: string[]): Promise<void> => {
  if (tags.length === 0) return;
  const unusable = await unusableTags(app);
  const forbidden =
    unusable.size === 0 ? [] : tags.filter((tag) => unusable.has(normaliseTag(tag)));
  if (forbidden.length === 0) return;
  const words =
    forbidden.length === 1 ? "contained a disallowed hashtag" : "contained the disallowed hashtags";
  throw new Unprocessable(`Validation failed: Text ${words}: ${forbidden.join(", ")}`);
};
