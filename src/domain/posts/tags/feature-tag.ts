// Lets people follow tags, whose public posts are then in their home feed, and feature tags on their profiles; stores
// the tags that remote accounts feature.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { lockAccount } from "../../people/accounts/lock.ts";
import "./events.ts";
import {
  countFeatured,
  countTagFollows,
  deleteFeatured,
  insertFeatured,
  insertNames,
  replaceFeatured,
  upsertTag,
  deleteTagFollow,
  insertTagFollow,
} from "./queries.ts";
import { MAX_FEATURED_TAGS } from "./rules.ts";
import type { TagName } from "./rules.ts";
import { invalidateFeeds } from "../../people/relationships/changed.ts";

const featureIn = async (app: App, tx: Tx, accountId: string, tag: TagName) => {
  await lockAccount(tx, accountId);
  const tagId = await upsertTag(tx, tag);
  const id = await insertFeatured(tx, { accountId, tagId, display: tag.display });
  if (id === null) return null;
  if ((await countFeatured(tx, accountId)) > MAX_FEATURED_TAGS) {
    throw new Unprocessable(
      "Validation failed: You have already featured the maximum number of hashtags",
    );
  }
  await app.jobs.add(tx, "tag.featured", { accountId, ...tag });
  return id;
};

/** Returns the id of the featured tag; null when it is featured already. Throws 422 over the limit. */
export const featureTag = (app: App, accountId: string, tag: TagName): Promise<string | null> =>
  app.sql.begin((tx) => featureIn(app, tx, accountId, tag));

/** Accepts the id or the tag's name; returns false when it was not featured. */
export const unfeatureTag = (
  app: App,
  accountId: string,
  which: { id: string } | { name: string },
): Promise<boolean> =>
  app.sql.begin(async (tx) => {
    const gone = await deleteFeatured(tx, accountId, which);
    if (gone) await app.jobs.add(tx, "tag.unfeatured", { accountId, ...gone });
    return gone !== null;
  });

/** Featured tags stored of a remote account; other servers may allow more. */
const MAX_REMOTE = 50;

/** Adds a featured tag of a remote account. */
export const addRemoteFeatured = (app: App, accountId: string, tag: TagName): Promise<void> =>
  app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    if ((await countFeatured(tx, accountId)) >= MAX_REMOTE) return;
    await insertFeatured(tx, { accountId, tagId: await upsertTag(tx, tag), display: tag.display });
  });

export const removeRemoteFeatured = async (app: App, accountId: string, tag: TagName) => {
  await deleteFeatured(app.sql, accountId, { name: tag.name });
};

/** Replaces the featured tags of a remote account. */
export const setRemoteFeatured = (app: App, accountId: string, tags: TagName[]): Promise<void> =>
  app.sql.begin(async (tx) => {
    const names = tags.map(({ name }) => name);
    const distinct = tags.filter(({ name }, at) => names.indexOf(name) === at).slice(0, MAX_REMOTE);
    await lockAccount(tx, accountId);
    if (distinct.length > 0) await insertNames(tx, distinct);
    await replaceFeatured(tx, accountId, distinct);
  });

/** Tags that a person may follow, far more than people do; the posts of each are looked up when a home is rebuilt. */
const MAX_FOLLOWED = 2000;

/** Follows a tag; idempotent. Throws 422 over the limit. */
export const followTag = async (app: App, accountId: string, tag: TagName): Promise<void> => {
  await app.sql.begin(async (tx) => {
    await lockAccount(tx, accountId);
    await insertNames(tx, [tag]);
    const isNew = await insertTagFollow(tx, accountId, tag.name);
    if (isNew && (await countTagFollows(tx, accountId)) > MAX_FOLLOWED) {
      throw new Unprocessable(`Validation failed: You can follow at most ${MAX_FOLLOWED} hashtags`);
    }
  });
  await invalidateFeeds(app, [accountId]);
};

/** Changes nothing where the tag is not followed. */
export const unfollowTag = async (app: App, accountId: string, tag: TagName): Promise<void> => {
  await deleteTagFollow(app.sql, accountId, tag.name);
  await invalidateFeeds(app, [accountId]);
};
