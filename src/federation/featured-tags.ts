// The hashtags that remote actors feature on their profiles: fetched from the collection that the actor
// names as `featuredTags`.

import type { App } from "../platform/app.ts";
import { isRecord, textOf, typesOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { setRemoteFeatured } from "../domain/posts/tags/feature-tag.ts";
import { getFeaturedTagsUrl } from "../domain/posts/tags/load.ts";
import { parseTypedTag } from "../domain/posts/tags/rules.ts";
import type { TagName } from "../domain/posts/tags/rules.ts";
import { readCollection } from "./collections.ts";
import { nullUnlessTemporary } from "./faults.ts";

/** Items read; peers allow ten. */
const MAX_ITEMS = 50;

/** Returns the tag that a Hashtag object names; null for anything else. */
export const hashtagOf = (object: Json): TagName | null => {
  const name = typesOf(object).includes("Hashtag") ? textOf(object["name"]) : null;
  return name === null ? null : parseTypedTag(name);
};

const read = async (app: App, url: string): Promise<TagName[] | null> => {
  const collection = await readCollection(app, url, url, {
    cause: "collection",
    maxItems: MAX_ITEMS,
    maxPages: 1,
  });
  return (
    collection &&
    collection.items.flatMap((item) => (isRecord(item) ? (hashtagOf(item) ?? []) : []))
  );
};

/** Handles the job `featured_tags.refresh`. If the collection cannot be read, the stored tags stay. */
export const refreshFeaturedTags = async (
  app: App,
  { accountId }: { accountId: string },
): Promise<void> => {
  const url = await getFeaturedTagsUrl(app, accountId);
  const tags = url && (await nullUnlessTemporary(read(app, url)));
  if (tags) await setRemoteFeatured(app, accountId, tags);
};
