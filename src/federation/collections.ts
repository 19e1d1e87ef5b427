// Reads collections of other servers within limits: the items of the collection itself or of its pages, all of which
// must be on its own server.

import type { App } from "../platform/app.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import { httpUrl, idOf, isRecord, listOf, sameHost, typesOf } from "../platform/json/read.ts";
import type { Json } from "../platform/json/read.ts";
import { fetchDocument } from "./documents.ts";

type ReadOptions = {
  cause: Cause;
  maxItems: number;
  /** Pages fetched besides the collection itself. */
  maxPages: number;
};

export type Collection = {
  items: unknown[];
  /** True when there were no further items. */
  isWhole: boolean;
};

const isCollection = (document: Json): boolean =>
  typesOf(document).some((type) => /^(?:Ordered)?Collection(?:Page)?$/.test(type));

/**
 * Reads `value`, a collection or its address in a document of the server at `base`. Returns null where it is no
 * collection, or on another server. Throws RemoteFault.
 */
export const readCollection = async (
  app: App,
  value: unknown,
  base: string,
  { cause, maxItems, maxPages }: ReadOptions,
): Promise<Collection | null> => {
  const get = async (value: unknown): Promise<Json | null> => {
    if (isRecord(value) && value["type"] !== undefined) return value;
    const url = httpUrl(idOf(value));
    return url && sameHost(url, base) ? (await fetchDocument(app, url, { cause })).document : null;
  };
  const collection = await get(value);
  if (!collection || !isCollection(collection)) return null;
  const itemsOf = (page: Json) => listOf(page["items"] ?? page["orderedItems"], maxItems + 1);
  const items = itemsOf(collection);
  let next = collection["next"] ?? (items.length === 0 ? collection["first"] : null) ?? null;
  for (let pages = 0; next !== null && pages < maxPages && items.length <= maxItems;) {
    const isEmbedded = isRecord(next);
    const page = await get(next);
    if (!page) break;
    if (!isEmbedded) pages += 1;
    items.push(...itemsOf(page));
    next = page["next"] ?? null;
    // A page embedded in a page could continue for ever without a request.
    if (isEmbedded && isRecord(next)) break;
  }
  const isWhole = next === null && items.length <= maxItems;
  return { items: items.slice(0, maxItems), isWhole };
};
