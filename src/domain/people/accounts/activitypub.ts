// Turns account views into ActivityPub actors, with the members that peers know (test/golden).
// https://www.w3.org/TR/activitypub/#actor-objects

import { fileUrl, typeOfKey } from "../../../platform/storage/index.ts";
import { formerAddresses, withFormerNames } from "../../../platform/config/names.ts";
import type { FormerNames } from "../../../platform/config/names.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { extractTags } from "../../../platform/text/extract.ts";
import { emojiTag } from "../../base/emojis/present.ts";
import { assertionKeyId } from "./keys.ts";
import type { PublicKeys } from "./keys.ts";
import { QUOTERS, featurePolicy } from "./policies.ts";
import type { AccountView } from "./tables.ts";

type Site = FullConfig["site"];

export const AS_CONTEXT = "https://www.w3.org/ns/activitystreams";
export const AS_PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

const ACTOR_TERMS = {
  manuallyApprovesFollowers: "as:manuallyApprovesFollowers",
  toot: "http://joinmastodon.org/ns#",
  featured: { "@id": "toot:featured", "@type": "@id" },
  featuredTags: { "@id": "toot:featuredTags", "@type": "@id" },
  alsoKnownAs: { "@id": "as:alsoKnownAs", "@type": "@id" },
  movedTo: { "@id": "as:movedTo", "@type": "@id" },
  schema: "http://schema.org#",
  PropertyValue: "schema:PropertyValue",
  value: "schema:value",
  discoverable: "toot:discoverable",
  suspended: "toot:suspended",
  memorial: "toot:memorial",
  indexable: "toot:indexable",
  attributionDomains: { "@id": "toot:attributionDomains", "@type": "@id" },
  // FEP-7aa9
  featuredCollections: { "@id": "https://w3id.org/fep/7aa9#featuredCollections", "@type": "@id" },
  canFeature: { "@id": "https://w3id.org/fep/7aa9#canFeature", "@type": "@id" },
  gts: "https://gotosocial.org/ns#",
  interactionPolicy: { "@id": "gts:interactionPolicy", "@type": "@id" },
  automaticApproval: { "@id": "gts:automaticApproval", "@type": "@id" },
  webfinger: "https://purl.archive.org/socialweb/webfinger#webfinger",
  // FEP-521a
  sec: "https://w3id.org/security#",
  Multikey: "sec:Multikey",
  assertionMethod: { "@id": "sec:assertionMethod", "@type": "@id", "@container": "@set" },
  controller: { "@id": "sec:controller", "@type": "@id" },
  publicKeyMultibase: { "@id": "sec:publicKeyMultibase", "@type": "sec:multibase" },
};

/** The `@context` of actor documents and of updates that contain one. */
export const ACTOR_CONTEXT = [
  AS_CONTEXT,
  "https://w3id.org/security/v1",
  { ...ACTOR_TERMS, Hashtag: "as:Hashtag", Emoji: "toot:Emoji" },
];

const addresses = ({ uri }: AccountView) => ({
  following: `${uri}/following`,
  followers: `${uri}/followers`,
  inbox: `${uri}/inbox`,
  outbox: `${uri}/outbox`,
  featured: `${uri}/collections/featured`,
  featuredTags: `${uri}/collections/tags`,
});

/** Returns the address of the list of a local account's collections. */
export const featuredCollectionsUrl = (site: Site, id: string): string =>
  `${site.origin}/ap/${id}/featured_collections`;

/**
 * Makes the members that state who may add the account to collections (FEP-7aa9); naming the account itself stands for
 * nobody.
 */
const featuring = (view: AccountView, site: Site) => {
  const policy = featurePolicy(view);
  const whom =
    policy === QUOTERS.public
      ? AS_PUBLIC
      : policy === QUOTERS.followers
        ? `${view.uri}/followers`
        : view.uri;
  return {
    featuredCollections: featuredCollectionsUrl(site, view.id),
    interactionPolicy: { canFeature: { automaticApproval: whom } },
  };
};

const hashtags = (view: AccountView, site: Site) =>
  extractTags(view.note).map(({ name }) => ({
    type: "Hashtag",
    href: `${site.origin}/tags/${encodeURIComponent(name)}`,
    name: `#${name}`,
  }));

const attachments = (view: AccountView) =>
  view.fields.map(({ name, value_html }) => ({ type: "PropertyValue", name, value: value_html }));

const image = (site: Site, key: string, name: string) => ({
  type: "Image",
  mediaType: typeOfKey(key),
  url: fileUrl(site, key),
  ...(name && { name }),
});

const pictures = (view: AccountView, site: Site) => ({
  ...(view.avatar_key && { icon: image(site, view.avatar_key, view.avatar_description) }),
  ...(view.header_key && { image: image(site, view.header_key, view.header_description) }),
});

/**
 * Adds the account's addresses under former domains of this server, since servers that learn of the move look for them.
 */
const aliases = (view: AccountView, site: Site): string[] => [
  ...formerAddresses(site, view.uri, view.created_at).map(({ uri }) => uri),
  ...view.also_known_as,
];

const aliasesMember = (all: string[]) => (all.length > 0 ? { alsoKnownAs: all } : {});

const identity = (view: AccountView, site: Site) => ({
  ...aliasesMember(aliases(view, site)),
  ...(view.moved_to && { movedTo: view.moved_to.uri }),
  ...(view.attribution_domains.length > 0 && { attributionDomains: view.attribution_domains }),
});

/** Returns the profile, which is empty for a suspended account. */
const said = (view: AccountView, site: Site) => {
  const silent = view.suspended_at !== null;
  return {
    name: (!silent && view.display_name) || view.username,
    summary: silent ? "" : view.note_html,
    url: view.url,
    manuallyApprovesFollowers: view.locked,
    discoverable: silent ? false : (view.discoverable ?? false),
    indexable: silent ? false : view.indexable,
    published: `${isoDate(view.created_at)}T00:00:00Z`,
    memorial: view.memorial,
    ...(silent && { suspended: true }),
    tag: silent
      ? []
      : [...hashtags(view, site), ...view.emojis.flatMap((emoji) => emojiTag(emoji, site))],
    attachment: silent ? [] : attachments(view),
    ...(!silent && { ...pictures(view, site), ...identity(view, site), ...featuring(view, site) }),
  };
};

/** Makes the member with the key of its proofs (FEP-521a). */
const assertionMethod = ({ uri }: AccountView, { multikey }: PublicKeys) =>
  multikey && {
    assertionMethod: [
      {
        id: assertionKeyId(uri),
        type: "Multikey",
        controller: uri,
        publicKeyMultibase: multikey,
      },
    ],
  };

/** Returns the address of the list of a local group's moderators, as in FEP-1b12 and Lemmy. */
export const moderatorsUrl = (groupUri: string): string => `${groupUri}/moderators`;

/** Makes the object of a local account, without `@context`. */
const actorObject = (view: AccountView, keys: PublicKeys, site: Site) => ({
  id: view.uri,
  type: view.actor_type,
  ...addresses(view),
  ...(view.actor_type === "Group" && { attributedTo: moderatorsUrl(view.uri) }),
  preferredUsername: view.username,
  // FEP-2c59
  webfinger: `${view.username}@${site.localDomain}`,
  ...said(view, site),
  publicKey: { id: `${view.uri}#main-key`, owner: view.uri, publicKeyPem: keys.pem },
  ...assertionMethod(view, keys),
  endpoints: { sharedInbox: `${site.origin}/inbox` },
});

/** Makes the document at an actor's address. */
export const actorDocument = (view: AccountView, keys: PublicKeys, site: Site) => ({
  "@context": ACTOR_CONTEXT,
  ...actorObject(view, keys, site),
});

/**
 * Makes the document at its address under a former domain: an actor with the same key that moved to the present
 * address.
 */
export const formerActorDocument = (
  view: AccountView,
  keys: PublicKeys,
  site: Site,
  names: FormerNames,
) => {
  const then = { ...site, localDomain: names.localDomain, former: [] };
  const document = withFormerNames(site, names, actorDocument(view, keys, then));
  return { ...document, movedTo: view.moved_to?.uri ?? view.uri };
};

declare const judged: unique symbol;

/**
 * An activity that may be sent to other servers (federation/deliver.ts). Activities about posts are made of
 * FederatedStatus alone, in statuses/activitypub.ts; others, about follows and profiles, contain no posts.
 */
export type Sendable = Record<string, unknown> & { readonly [judged]: true };

/** Marks an activity as sendable; only modules that make activities may call it (test/architecture.test.ts). */
export const sendable = (activity: Record<string, unknown>): Sendable => activity as Sendable;

/** Makes the Undo of an activity by the same actor; `more` adds `to` where it is for everybody. */
export const undo = (activity: Sendable, more: Record<string, unknown> = {}): Sendable => {
  const { "@context": context = AS_CONTEXT, ...object } = activity;
  return sendable({
    "@context": context,
    id: `${String(activity["id"])}/undo`,
    type: "Undo",
    actor: activity["actor"],
    ...more,
    object,
  });
};

/** Makes the Update of a profile, for followers. */
export const updateActorActivity = (view: AccountView, keys: PublicKeys, site: Site, at: Date) =>
  sendable({
    "@context": ACTOR_CONTEXT,
    id: `${view.uri}#updates/${at.getTime()}`,
    type: "Update",
    actor: view.uri,
    to: [AS_PUBLIC],
    object: actorObject(view, keys, site),
  });

/** Makes the Move of a local account, for its followers. */
export const moveActivity = (view: AccountView, targetUri: string, at: Date) =>
  sendable({
    "@context": AS_CONTEXT,
    id: `${view.uri}#moves/${at.getTime()}`,
    type: "Move",
    actor: view.uri,
    to: [`${view.uri}/followers`],
    object: view.uri,
    target: targetUri,
  });

type DomainMove = { site: Site; former: FormerNames; at: Date };

/** Makes the Move of a local account from its address under a former domain, after the server has moved. */
export const domainMoveActivity = (view: AccountView, { site, former, at }: DomainMove) =>
  sendable({
    ...withFormerNames(site, former, moveActivity(view, "", at)),
    target: view.uri,
  });

export const deleteActorActivity = (view: AccountView) =>
  sendable({
    "@context": AS_CONTEXT,
    id: `${view.uri}#delete`,
    type: "Delete",
    actor: view.uri,
    to: [AS_PUBLIC],
    object: view.uri,
  });
