// Local collections as documents (FEP-7aa9): the collection with its items, an account's list of
// collections, and the authorization by which an account agrees to be in one.
// https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md

import type { FullConfig } from "../../platform/config/config.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { AS_CONTEXT } from "../accounts/activitypub.ts";
import type { AccountView } from "../accounts/tables.ts";
import { collectionTag, collectionUri, collectionUrl } from "./present.ts";
import type { CollectionRow, CollectionView, ItemRow } from "./tables.ts";

type Site = FullConfig["site"];

const FEP = "https://w3id.org/fep/7aa9#";

const CONTEXT = [
  AS_CONTEXT,
  {
    Hashtag: "as:Hashtag",
    sensitive: "as:sensitive",
    toot: "http://joinmastodon.org/ns#",
    discoverable: "toot:discoverable",
    FeaturedCollection: `${FEP}FeaturedCollection`,
    FeaturedItem: `${FEP}FeaturedItem`,
    FeatureAuthorization: `${FEP}FeatureAuthorization`,
    topic: { "@id": `${FEP}topic`, "@type": "@id" },
    featuredObject: { "@id": `${FEP}featuredObject`, "@type": "@id" },
    featureAuthorization: { "@id": `${FEP}featureAuthorization`, "@type": "@id" },
    gts: "https://gotosocial.org/ns#",
    interactingObject: { "@id": "gts:interactingObject", "@type": "@id" },
    interactionTarget: { "@id": "gts:interactionTarget", "@type": "@id" },
  },
];

/** The URI of the account's authorization of one item. */
const authorizationUri = (site: Site, item: ItemRow): string =>
  `${site.origin}/ap/${item.account_id}/feature_authorizations/${item.id}`;

const itemObject = (view: CollectionView, item: ItemRow, account: AccountView, site: Site) => ({
  id: `${collectionUri(site, view)}/items/${item.id}`,
  type: "FeaturedItem",
  featuredObject: account.uri,
  ...(account.domain === null && { featureAuthorization: authorizationUri(site, item) }),
  published: isoTime(item.created_at),
});

/** The document of a collection; `people` are the accounts of its items, by id. */
export const collectionDocument = (
  view: CollectionView,
  people: Map<string, AccountView>,
  site: Site,
) => {
  const tag = collectionTag(site, view);
  const items = view.items.flatMap((item) => {
    const account = people.get(item.account_id);
    return account ? [itemObject(view, item, account, site)] : [];
  });
  return {
    "@context": CONTEXT,
    id: collectionUri(site, view),
    type: "FeaturedCollection",
    attributedTo: view.owner.uri,
    name: view.name,
    summary: view.description,
    ...(view.language && { summaryMap: { [view.language]: view.description } }),
    url: collectionUrl(site, view.id),
    sensitive: view.sensitive,
    discoverable: view.discoverable,
    ...(tag && { topic: { type: "Hashtag", name: `#${tag.name}`, href: tag.url } }),
    published: isoTime(view.created_at),
    updated: isoTime(view.updated_at),
    totalItems: items.length,
    orderedItems: items,
  };
};

/** The list of an account's collections. */
export const collectionListDocument = (owner: AccountView, rows: CollectionRow[], site: Site) => ({
  "@context": AS_CONTEXT,
  id: `${site.origin}/ap/${owner.id}/featured_collections`,
  type: "Collection",
  totalItems: rows.length,
  items: rows.map((row) => collectionUri(site, row)),
});

/** A local account's authorization to be in a collection. */
export const authorizationDocument = (
  view: CollectionView,
  item: ItemRow,
  account: AccountView,
  site: Site,
) => ({
  "@context": CONTEXT,
  id: authorizationUri(site, item),
  type: "FeatureAuthorization",
  attributedTo: account.uri,
  interactingObject: collectionUri(site, view),
  interactionTarget: account.uri,
});
