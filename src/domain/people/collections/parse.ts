// Parses a FeaturedCollection of another server into what is stored: bounded, as plain text, and only what its server
// has authority over. Without I/O. FEP-7aa9

import {
  dateOf,
  httpUrl,
  idOf,
  isRecord,
  isTrue,
  linkOf,
  listOf,
  sameHost,
  textOf,
  typesOf,
} from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { plainText, sanitiseName } from "../../../platform/text/plain.ts";
import { isTagName, normaliseTag } from "../../../platform/text/tags.ts";
import type { RemoteCollectionRow, RemoteItemRow } from "./queries-consent.ts";
import { MAX_REMOTE_ITEMS } from "./rules.ts";

const MAX_NAME = 256;
const MAX_DESCRIPTION = 2000;

export type ParsedCollection = {
  row: RemoteCollectionRow;
  ownerUri: string;
  /** Null where the document does not list them itself. */
  items: RemoteItemRow[] | null;
};

export const isCollection = (value: unknown): value is Json =>
  isRecord(value) && typesOf(value).includes("FeaturedCollection");

/** Reads the topic; ignores hashtags that this server would not accept. */
const tagOf = (topic: unknown) => {
  const name = (isRecord(topic) ? textOf(topic["name"]) : null)?.replace(/^#/, "") ?? "";
  return isTagName(name)
    ? { tag_name: normaliseTag(name), tag_display: name }
    : { tag_name: null, tag_display: null };
};

const languageOf = (document: Json): string | null => {
  const maps = [document["summaryMap"], document["nameMap"]].filter(isRecord);
  const [language] = maps.flatMap((map) => Object.keys(map));
  return language ? normaliseLanguage(language) : null;
};

const past = (value: unknown, now: Date): Date => {
  const date = dateOf(value);
  return date && date < now ? date : now;
};

/** Returns null where the item features nothing, or is on another server than its collection. */
export const parseItem = (
  item: unknown,
  collectionUri: string,
  now: Date,
): RemoteItemRow | null => {
  if (!isRecord(item) || !typesOf(item).includes("FeaturedItem")) return null;
  const uri = httpUrl(item["id"]);
  const objectUri = httpUrl(idOf(item["featuredObject"]));
  if (!uri || !objectUri || !sameHost(uri, collectionUri)) return null;
  const approvalUri = httpUrl(idOf(item["featureAuthorization"]));
  return {
    uri,
    object_uri: objectUri,
    approval_uri: approvalUri,
    created_at: past(item["published"], now),
  };
};

const itemsOf = (document: Json, uri: string, now: Date): RemoteItemRow[] | null => {
  const listed = document["orderedItems"] ?? document["items"];
  if (listed === undefined) return null;
  const items = listOf(listed, MAX_REMOTE_ITEMS).flatMap((item) => parseItem(item, uri, now) ?? []);
  return [...new Map(items.map((item) => [item.uri, item])).values()];
};

/** Returns null for anything else, and where the collection is not on the server of its owner. */
export const parseCollection = (document: unknown, now: Date): ParsedCollection | null => {
  if (!isCollection(document)) return null;
  const [uri, ownerUri] = [httpUrl(document["id"]), httpUrl(idOf(document["attributedTo"]))];
  const name = sanitiseName(textOf(document["name"]) ?? "", MAX_NAME);
  if (!uri || !ownerUri || name === "" || !sameHost(uri, ownerUri)) return null;
  const page = linkOf(document["url"], "text/html");
  const created = past(document["published"], now);
  const row = {
    uri,
    url: page && sameHost(page, uri) ? page : null,
    name,
    description: plainText(textOf(document["summary"]) ?? "")
      .slice(0, MAX_DESCRIPTION)
      .toWellFormed(),
    language: languageOf(document),
    ...tagOf(document["topic"]),
    sensitive: isTrue(document["sensitive"]),
    // A collection is listed unless `false` is stated.
    discoverable: document["discoverable"] !== false,
    created_at: created,
    updated_at: past(document["updated"] ?? created.toISOString(), now),
  };
  return { row, ownerUri, items: itemsOf(document, uri, now) };
};
