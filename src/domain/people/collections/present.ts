// Presents collection views as JSON entities. https://docs.joinmastodon.org/entities/Collection/

import type { FullConfig } from "../../../platform/config/config.ts";
import { parseId, isoTime } from "../../../platform/ids/index.ts";
import { escapeHtml } from "../../../platform/text/html.ts";
import type { CollectionRow, CollectionView, ItemRow } from "./tables.ts";

type Site = FullConfig["site"];

/** Returns the URI of the ActivityPub document. */
export const collectionUri = (
  site: Site,
  { id, account_id: ownerId, uri }: Pick<CollectionRow, "id" | "account_id" | "uri">,
): string => uri ?? `${site.origin}/ap/${ownerId}/collections/${id}`;

/** Returns the URL of the page. */
export const collectionUrl = (site: Site, row: CollectionRow): string =>
  row.url ?? row.uri ?? `${site.origin}/collections/${row.id}`;

const LOCAL_PATH = /^(?:\/ap\/\d{1,19})?\/collections\/(\d{1,19})$/;

/** Reads the id of a local collection from its address or that of its page. */
export const localIdOf = (site: Site, address: string | null): string | null => {
  const url = address === null ? null : URL.parse(address);
  if (!url || url.origin !== site.origin || url.search !== "") return null;
  return parseId(LOCAL_PATH.exec(url.pathname)?.[1]);
};

export const itemUri = (
  site: Site,
  collection: Pick<CollectionRow, "id" | "account_id" | "uri">,
  item: ItemRow,
): string => item.uri ?? `${collectionUri(site, collection)}/items/${item.id}`;

/** Returns the URI of a local account's consent to be in a collection. */
export const featureAuthorizationUri = (
  site: Site,
  { id, account_id: accountId }: Pick<ItemRow, "id" | "account_id">,
): string => `${site.origin}/ap/${accountId}/feature_authorizations/${id}`;

export const itemEntity = (item: ItemRow) => ({
  id: item.id,
  account_id: item.account_id,
  state: item.state,
  created_at: isoTime(item.created_at),
});

export const collectionTag = (site: Site, row: CollectionRow) =>
  row.tag_name && {
    name: row.tag_display ?? row.tag_name,
    url: `${site.origin}/tags/${encodeURIComponent(row.tag_name)}`,
  };

export const collectionEntity = (view: CollectionView, site: Site) => ({
  id: view.id,
  account_id: view.account_id,
  uri: collectionUri(site, view),
  url: collectionUrl(site, view),
  name: view.name,
  description: escapeHtml(view.description),
  language: view.language,
  local: view.uri === null,
  sensitive: view.sensitive,
  discoverable: view.discoverable,
  tag: collectionTag(site, view) || null,
  created_at: isoTime(view.created_at),
  updated_at: isoTime(view.updated_at),
  item_count: view.items.filter((item) => item.state === "accepted").length,
  items: view.items.map(itemEntity),
});
