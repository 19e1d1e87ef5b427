// Collection views → the JSON entities. https://docs.joinmastodon.org/entities/Collection/

import type { FullConfig } from "../../platform/config/config.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { escapeHtml } from "../../platform/text/html.ts";
import type { CollectionRow, CollectionView, ItemRow } from "./tables.ts";

type Site = FullConfig["site"];

/** The URI of the ActivityPub document. */
export const collectionUri = (site: Site, row: CollectionRow): string =>
  `${site.origin}/ap/${row.account_id}/collections/${row.id}`;

/** The URL of the page. */
export const collectionUrl = (site: Site, id: string): string => `${site.origin}/collections/${id}`;

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
  url: collectionUrl(site, view.id),
  name: view.name,
  description: escapeHtml(view.description),
  language: view.language,
  local: true,
  sensitive: view.sensitive,
  discoverable: view.discoverable,
  tag: collectionTag(site, view) || null,
  created_at: isoTime(view.created_at),
  updated_at: isoTime(view.updated_at),
  item_count: view.items.filter((item) => item.state === "accepted").length,
  items: view.items.map(itemEntity),
});
