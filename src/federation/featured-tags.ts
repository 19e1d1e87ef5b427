// The hashtags that remote actors feature on their profiles: fetched from the collection that the actor
// names as `featuredTags`.

import type { App } from "../platform/app.ts";
import {
  httpUrl,
  idOf,
  isRecord,
  listOf,
  sameHost,
  textOf,
  typesOf,
} from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { setRemoteFeatured } from "../domain/tags/feature-tag.ts";
import { getFeaturedTagsUrl } from "../domain/tags/load.ts";
import { parseTypedTag } from "../domain/tags/rules.ts";
import type { TagName } from "../domain/tags/rules.ts";
import { fetchDocument } from "./documents.ts";
import { nullUnlessTemporary } from "./faults.ts";

const CAUSE = { cause: "collection" } as const;

/** More are not read: peers allow ten. */
const MAX_ITEMS = 50;

/** The tag that a Hashtag object names; null for anything else. */
export const hashtagOf = (object: Json): TagName | null => {
  const name = typesOf(object).includes("Hashtag") ? textOf(object["name"]) : null;
  return name === null ? null : parseTypedTag(name);
};

const itemsOf = (collection: Json): unknown[] =>
  listOf(collection["items"] ?? collection["orderedItems"], MAX_ITEMS);

/** The items of a collection, or of its first page, which must be on the same server. */
const readItems = async (app: App, url: string, collection: Json): Promise<unknown[]> => {
  const { first } = collection;
  if (first === undefined || itemsOf(collection).length > 0) return itemsOf(collection);
  if (isRecord(first) && (first["items"] ?? first["orderedItems"])) return itemsOf(first);
  const page = httpUrl(idOf(first));
  if (!page || !sameHost(page, url)) return [];
  return itemsOf((await fetchDocument(app, page, CAUSE)).document);
};

const read = async (app: App, url: string): Promise<TagName[] | null> => {
  const { id, document } = await fetchDocument(app, url, CAUSE);
  const isCollection = typesOf(document).some((type) => /^(?:Ordered)?Collection$/.test(type));
  if (!isCollection || !sameHost(id, url)) return null;
  const items = await readItems(app, url, document);
  return items.flatMap((item) => (isRecord(item) ? (hashtagOf(item) ?? []) : []));
};

/** The handler of `featured_tags.refresh`. If the collection cannot be read, the stored tags stay. */
export const refreshFeaturedTags = async (
  app: App,
  { accountId }: { accountId: string },
): Promise<void> => {
  const url = await getFeaturedTagsUrl(app, accountId);
  const tags = url && (await nullUnlessTemporary(read(app, url)));
  if (tags) await setRemoteFeatured(app, accountId, tags);
};
