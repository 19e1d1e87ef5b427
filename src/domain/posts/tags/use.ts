// Writes the tags of statuses, one or many, local or remote. Refuses hashtags that moderators forbid in new posts of
// local people.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { deleteOtherUses, insertUses, taggingParts } from "./queries.ts";
import type { NewTag, TaggedFor, TagOf } from "./queries.ts";
import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { normaliseTag } from "../../../platform/text/tags.ts";
import { selectUnusable } from "./queries-review.ts";

export type { NewTag };

/** The tags of one status, distinct by name. */
type Tagged = TaggedFor & { tags: NewTag[] };

type TaggedStatus = Tagged & {
  statusId: string;
  accountId: string;
  /** When it was written or edited: the day on which its tags count. */
  at: Date;
};

const numbered = (tagged: Tagged[]): TagOf[] =>
  tagged.flatMap(({ tags, open, listed }, n) =>
    tags.map(({ name, display }, place) => ({ n, name, display, place, open, listed })),
  );

/** Runs in the transaction that writes the statuses. Takes one query, or none where there are no tags. */
const tagStatuses = async (db: Db, statuses: TaggedStatus[]): Promise<void> => {
  const tags = numbered(statuses);
  if (tags.length === 0) return;
  const rows = statuses.map(({ statusId: id, accountId, at }, n) => ({
    n,
    id,
    account_id: accountId,
    created_at: at,
  }));
  await insertUses(db, rows, tags);
};

/** Replaces the tags of an edited status. */
export const retagStatus = async (db: Db, status: TaggedStatus): Promise<void> => {
  await deleteOtherUses(
    db,
    status.statusId,
    status.tags.map((tag) => tag.name),
  );
  await tagStatuses(db, [status]);
};

/** Makes the parts that tag the statuses which the same statement writes; `tagged` is by their position. */
export const tagging = (db: Db, tagged: Tagged[]): Fragment => taggingParts(db, numbered(tagged));

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
