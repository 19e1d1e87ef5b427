// Presents local collections as documents (FEP-7aa9): a collection with its items, an account's list of collections,
// and the activities by which others follow changes.
// https://codeberg.org/fediverse/fep/src/branch/main/fep/7aa9/fep-7aa9.md

import type { FullConfig } from "../../../platform/config/config.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import {
  AS_CONTEXT,
  AS_PUBLIC,
  featuredCollectionsUrl,
  sendable,
} from "../accounts/activitypub.ts";
import type { Sendable } from "../accounts/activitypub.ts";
import type { AccountView } from "../accounts/tables.ts";
import { FEATURES, GTS, reference, requestActivity } from "../approvals/requests.ts";
import {
  collectionTag,
  collectionUri,
  collectionUrl,
  featureAuthorizationUri,
  itemUri,
} from "./present.ts";
import type { CollectionRow, CollectionView, ItemRow } from "./tables.ts";

type Site = FullConfig["site"];

const COLLECTION_CONTEXT = [
  AS_CONTEXT,
  {
    Hashtag: "as:Hashtag",
    sensitive: "as:sensitive",
    toot: "http://joinmastodon.org/ns#",
    discoverable: "toot:discoverable",
    FeaturedCollection: `${FEATURES}FeaturedCollection`,
    FeaturedItem: `${FEATURES}FeaturedItem`,
    topic: reference(`${FEATURES}topic`),
    featuredObject: reference(`${FEATURES}featuredObject`),
    featuredObjectType: `${FEATURES}featuredObjectType`,
    featureAuthorization: reference(`${FEATURES}featureAuthorization`),
    gts: GTS,
  },
];

/** The accounts of the items, by id. */
export type People = ReadonlyMap<string, AccountView>;

const itemObject = (view: CollectionView, item: ItemRow, account: AccountView, site: Site) => ({
  id: itemUri(site, view, item),
  type: "FeaturedItem",
  featuredObject: account.uri,
  featuredObjectType: account.actor_type,
  featureAuthorization: item.approval_uri ?? featureAuthorizationUri(site, item),
  published: isoTime(item.created_at),
});

const collectionObject = (view: CollectionView, people: People, site: Site) => {
  const tag = collectionTag(site, view);
  const items = view.items.flatMap((item) => {
    const account = people.get(item.account_id);
    return account ? [itemObject(view, item, account, site)] : [];
  });
  return {
    id: collectionUri(site, view),
    type: "FeaturedCollection",
    attributedTo: view.owner.uri,
    name: view.name,
    summary: view.description,
    ...(view.language && { summaryMap: { [view.language]: view.description } }),
    url: collectionUrl(site, view),
    sensitive: view.sensitive,
    discoverable: view.discoverable,
    ...(tag && { topic: { type: "Hashtag", name: `#${tag.name}`, href: tag.url } }),
    published: isoTime(view.created_at),
    updated: isoTime(view.updated_at),
    totalItems: items.length,
    orderedItems: items,
  };
};

export const collectionDocument = (view: CollectionView, people: People, site: Site) => ({
  "@context": COLLECTION_CONTEXT,
  ...collectionObject(view, people, site),
});

/** Makes the list of an account's collections. */
export const collectionListDocument = (owner: AccountView, rows: CollectionRow[], site: Site) => ({
  "@context": AS_CONTEXT,
  id: featuredCollectionsUrl(site, owner.id),
  type: "Collection",
  totalItems: rows.length,
  items: rows.map((row) => collectionUri(site, row)),
});

type Change = {
  type: "Add" | "Remove" | "Update";
  /** Address of the activity. */
  id: string;
  object: unknown;
  target?: string;
};

/** `isListed` says whether everybody may know the collection. */
const change = (actor: string, isListed: boolean, { type, id, ...members }: Change): Sendable =>
  sendable({
    "@context": COLLECTION_CONTEXT,
    type,
    id,
    actor,
    ...members,
    ...(isListed && { to: [AS_PUBLIC], cc: [`${actor}/followers`] }),
  });

const changeOf = ({ owner, discoverable }: CollectionView, members: Change): Sendable =>
  change(owner.uri, discoverable, members);

/** Makes the activity for a new collection, or one that is listed from now on. */
export const addCollection = (view: CollectionView, people: People, site: Site): Sendable =>
  changeOf(view, {
    type: "Add",
    id: `${collectionUri(site, view)}#adds/${view.updated_at.getTime()}`,
    object: collectionObject(view, people, site),
    target: featuredCollectionsUrl(site, view.account_id),
  });

export const updateCollection = (view: CollectionView, people: People, site: Site): Sendable =>
  changeOf(view, {
    type: "Update",
    id: `${collectionUri(site, view)}#updates/${view.updated_at.getTime()}`,
    object: collectionObject(view, people, site),
  });

/** Makes the activity for a deleted collection; `isListed` says whether it was listed until then. */
export const removeCollection = (
  owner: AccountView,
  { uri, isListed }: { uri: string; isListed: boolean },
  site: Site,
): Sendable =>
  change(owner.uri, isListed, {
    type: "Remove",
    id: `${uri}#removes`,
    object: uri,
    target: featuredCollectionsUrl(site, owner.id),
  });

export const addItem = (view: CollectionView, item: ItemRow, account: AccountView, site: Site) =>
  changeOf(view, {
    type: "Add",
    id: `${itemUri(site, view, item)}#add`,
    object: itemObject(view, item, account, site),
    target: collectionUri(site, view),
  });

export const removeItem = (view: CollectionView, removedUri: string, site: Site): Sendable =>
  changeOf(view, {
    type: "Remove",
    id: `${removedUri}#remove`,
    object: removedUri,
    target: collectionUri(site, view),
  });

const requestUri = (ownerUri: string, itemId: string): string =>
  `${ownerUri}#feature_requests/${itemId}`;

/** Makes the request for consent to an account of another server. */
export const featureRequest = (
  view: CollectionView,
  item: ItemRow,
  account: AccountView,
  site: Site,
): Sendable =>
  requestActivity(
    "feature",
    { id: requestUri(view.owner.uri, item.id), actorUri: view.owner.uri, targetUri: account.uri },
    collectionUri(site, view),
  );

const REQUEST = /#feature_requests\/(\d{1,18})$/;

/** Reads the item's id from the URI of a local FeatureRequest. */
export const itemIdOf = (uri: string): string | null => REQUEST.exec(uri)?.[1] ?? null;
