// Presents local status views as ActivityPub notes, and makes the activities about them, with the members that peers
// expect (test/golden). https://www.w3.org/TR/activitypub/ Quotes, and who may quote, follow FEP-044f; who may do other
// things with a post follows GoToSocial.

import type { FullConfig } from "../../../platform/config/config.ts";
import { timeOfId } from "../../../platform/ids/index.ts";
import { AS_CONTEXT, AS_PUBLIC, sendable } from "../../people/accounts/activitypub.ts";
import type { Sendable } from "../../people/accounts/activitypub.ts";
import { automaticBits, QUOTERS } from "../../people/accounts/policies.ts";
import { asciiAcct } from "../../people/accounts/present.ts";
import { originalUrl } from "../../base/media/present.ts";
import { emojiTag } from "../../base/emojis/present.ts";
import type { MediaView } from "../../base/media/tables.ts";
import { tagUrl } from "../tags/present.ts";
import { eventMembers } from "../events/activitypub.ts";
import { questionMembers } from "../polls/activitypub.ts";
import { addressees, replyGroups, restrictsReplies, isSensitive } from "./rules.ts";
import type { FederatedRemoval, FederatedStatus, StatusView } from "./tables.ts";
import {
  isCircle,
  listedPublicly,
  openTo,
  openToFollowers,
  openToReblogs,
  remoteVisibilityFacts,
} from "./visibility.ts";
import type { Visibility } from "./visibility.ts";
import { includesQuote, NOTE_TERMS, approvalMember, noteContext } from "./activitypub-terms.ts";

export type Activity = Record<string, unknown>;

const quoteMembers = (view: StatusView): Activity => {
  const { quote } = view;
  if (!quote || !includesQuote(view)) return {};
  const uri = quote.quoted_uri;
  return {
    quote: uri,
    quoteUri: uri,
    quoteUrl: uri,
    _misskey_quote: uri,
    ...(quote.approval_uri && { quoteAuthorization: quote.approval_uri }),
  };
};

/**
 * Makes the interaction policy. It names the author alone where nobody may act: an empty list would mean that nothing
 * is stated. Whoever sees a post may favourite it, reply to it unless its author restricts replies, and boost it unless
 * it is for followers.
 */
const policyMember = (view: StatusView): Activity => {
  const groups = (bits: number): string[] => [
    ...(bits & QUOTERS.public ? [AS_PUBLIC] : []),
    ...(bits & QUOTERS.followers ? [`${view.account.uri}/followers`] : []),
    ...(bits & QUOTERS.following ? [`${view.account.uri}/following`] : []),
  ];
  const rule = (whom: string[]) => ({
    automaticApproval: whom.length > 0 ? whom : [view.account.uri],
  });
  return {
    interactionPolicy: {
      canQuote: rule(groups(automaticBits(view.quote_policy))),
      canReply: rule(restrictsReplies(view) ? groups(replyGroups(view)) : [AS_PUBLIC]),
      canLike: rule([AS_PUBLIC]),
      canAnnounce: rule(openToReblogs(view, false) ? [AS_PUBLIC] : []),
    },
  };
};

export type Site = FullConfig["site"];

/** Writes times to the second, as peers do. */
export const moment = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

const followersOf = (actorUri: string) => `${actorUri}/followers`;

/** Returns `to` and `cc`; `named` are actors addressed in addition to the audience of the visibility. */
export const audience = (visibility: Visibility, actorUri: string, named: string[]) => {
  const followers = followersOf(actorUri);
  const status = remoteVisibilityFacts(visibility);
  if (listedPublicly(status)) return { to: [AS_PUBLIC], cc: [followers, ...named] };
  if (openTo("elsewhere", status)) return { to: [followers], cc: [AS_PUBLIC, ...named] };
  return openToFollowers(status) ? { to: [followers], cc: named } : { to: named, cc: [] };
};

const audienceOf = (view: FederatedStatus) =>
  audience(
    view.visibility,
    view.account.uri,
    addressees(view).map((mention) => mention.uri),
  );

/** Returns a tag URI (RFC 4151) for a conversation that began here, made from values that never change. */
const conversationUri = (view: StatusView, site: Site): string | null => {
  if (view.conversation_uri || !view.conversation_id) return view.conversation_uri;
  const day = timeOfId(view.conversation_id).toISOString().slice(0, 10);
  return `tag:${site.localDomain},${day}:objectId=${view.conversation_id}:objectType=Conversation`;
};

/** Returns the address of the collection of a conversation that began here (FEP-7888), by its first post. */
export const contextUri = (site: Site, rootId: string): string =>
  `${site.origin}/contexts/${rootId}`;

const contextMember = (view: StatusView, site: Site): Activity => {
  const { conversation_uri: uri, conversation_id: rootId } = view;
  if (uri !== null) return URL.canParse(uri) && /^https?:/.test(uri) ? { context: uri } : {};
  return rootId === null ? {} : { context: contextUri(site, rootId) };
};

type Size = { width?: unknown; height?: unknown };

const sizeOf = ({ meta }: MediaView) => {
  const { width, height } = (meta["original"] ?? {}) as Size;
  return typeof width === "number" && typeof height === "number" ? { width, height } : {};
};

const focusOf = ({ meta }: MediaView) => {
  const focus = meta["focus"] as { x: number; y: number } | undefined;
  return focus ? { focalPoint: [focus.x, focus.y] } : {};
};

const attachment = (media: MediaView, site: Site) => ({
  type: "Document",
  mediaType: media.media_type,
  url: originalUrl(media, site),
  name: media.description,
  ...(media.blurhash && { blurhash: media.blurhash }),
  ...focusOf(media),
  ...sizeOf(media),
});

const tagsOf = (view: StatusView, site: Site) => [
  ...view.mentions
    .filter((mention) => !mention.silent)
    .map((mention) => ({ type: "Mention", href: mention.uri, name: `@${asciiAcct(mention)}` })),
  ...view.tags.map(({ name }) => ({ type: "Hashtag", href: tagUrl(site, name), name: `#${name}` })),
  ...view.emojis.flatMap((emoji) => emojiTag(emoji, site)),
];

const collections = (view: StatusView, ownReplies: string[]) => {
  const replies = `${view.uri}/replies`;
  const next = `${replies}?only_other_accounts=true&page=true`;
  const first = { type: "CollectionPage", next, partOf: replies, items: ownReplies };
  return {
    replies: { id: replies, type: "Collection", first },
    likes: {
      id: `${view.uri}/likes`,
      type: "Collection",
      totalItems: Number(view.favourites_count),
    },
    shares: {
      id: `${view.uri}/shares`,
      type: "Collection",
      totalItems: Number(view.reblogs_count),
    },
  };
};

const textOf = (view: StatusView) => ({
  content: view.content,
  ...(view.content_type && { source: { content: view.text, mediaType: view.content_type } }),
  ...(view.language && { contentMap: { [view.language]: view.content } }),
  ...(view.edited_at && { updated: moment(view.edited_at) }),
});

const typeOf = ({ event, poll }: StatusView): string => {
  if (event) return "Event";
  return poll ? "Question" : "Note";
};

/**
 * Makes the object of a local status, without `@context`. `ownReplies` are URIs of the author's own replies, which
 * peers fetch with it.
 */
export const noteObject = (
  view: FederatedStatus,
  site: Site,
  ownReplies: string[] = [],
): Activity => ({
  id: view.uri,
  type: typeOf(view),
  summary: view.spoiler_text || null,
  inReplyTo: view.in_reply_to_uri,
  published: moment(view.created_at),
  ...(view.expires_at && { expires: moment(view.expires_at) }),
  url: view.url,
  attributedTo: view.account.uri,
  ...audienceOf(view),
  ...(isCircle(view) && { limitedScope: "Circle" }),
  sensitive: isSensitive(view),
  atomUri: view.uri,
  inReplyToAtomUri: view.in_reply_to_uri,
  conversation: conversationUri(view, site),
  ...contextMember(view, site),
  ...textOf(view),
  ...(view.poll && questionMembers(view.poll)),
  ...(view.event && eventMembers(view.event, view.spoiler_text)),
  ...quoteMembers(view),
  ...(view.approval_uri && { [approvalMember("reply")]: view.approval_uri }),
  ...policyMember(view),
  attachment: view.media.map((media) => attachment(media, site)),
  tag: tagsOf(view, site),
  ...collections(view, ownReplies),
});

/** Makes the document at a status's address. */
export const noteDocument = (view: FederatedStatus, site: Site, ownReplies?: string[]): Sendable =>
  sendable({
    "@context": noteContext([view]),
    ...noteObject(view, site, ownReplies),
  });

/**
 * Returns a post in the form that is sent. Servers of Mastodon's kind pass public posts on only if they know all
 * members, so this form contains no duplicates and no defaults.
 */
const sentObject = (view: FederatedStatus, site: Site): Activity => {
  const object = noteObject(view, site);
  if (!openTo("elsewhere", view)) return object;
  const { quoteUrl: _quoteUrl, interactionPolicy, ...rest } = object;
  const { canQuote, canReply } = interactionPolicy as Activity;
  const said = restrictsReplies(view) ? { canQuote, canReply } : { canQuote };
  return { ...rest, interactionPolicy: said };
};

/** Makes the Create of a status for an outbox, without `@context`. */
export const createObject = (view: FederatedStatus, site: Site): Activity => ({
  id: `${view.uri}/activity`,
  type: "Create",
  actor: view.account.uri,
  published: moment(view.created_at),
  ...audienceOf(view),
  object: noteObject(view, site),
});

export const createActivity = (view: FederatedStatus, site: Site): Sendable =>
  sendable({
    "@context": noteContext([view]),
    ...createObject(view, site),
    object: sentObject(view, site),
  });

/** Makes the Update of an edited status; each version has an activity id of its own. */
export const updateActivity = (
  view: FederatedStatus,
  site: Site,
  at: Date = view.edited_at ?? view.created_at,
): Sendable =>
  sendable({
    "@context": noteContext([view]),
    id: `${view.uri}#updates/${at.getTime()}`,
    type: "Update",
    actor: view.account.uri,
    published: moment(at),
    ...audienceOf(view),
    object: sentObject(view, site),
  });

/** Makes the Delete of a status; only its URI is needed. */
export const deleteActivity = (actorUri: string, { uri }: FederatedRemoval): Sendable =>
  sendable({
    "@context": [AS_CONTEXT, { ostatus: NOTE_TERMS.ostatus, atomUri: NOTE_TERMS.atomUri }],
    id: `${uri}#delete`,
    type: "Delete",
    actor: actorUri,
    to: [AS_PUBLIC],
    object: { id: uri, type: "Tombstone", atomUri: uri },
  });
