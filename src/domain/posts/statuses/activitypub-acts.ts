// Makes the activities about acts on posts: boosts, favourites, pins, and requests to the author of a post that an
// act needs.

import { AS_CONTEXT, AS_PUBLIC, sendable, undo } from "../../people/accounts/activitypub.ts";
import type { Sendable } from "../../people/accounts/activitypub.ts";
import { requestActivity } from "../../people/approvals/requests.ts";
import type { Interaction } from "./rules.ts";
import type { FederatedRemoval, FederatedStatus } from "./tables.ts";
import { openTo } from "./visibility.ts";
import type { Visibility } from "./visibility.ts";
import { NOTE_TERMS, approvalMember, approvalTerms, noteContext } from "./activitypub-terms.ts";
import { moment, audience, noteObject, createActivity } from "./activitypub.ts";
import type { Activity, Site } from "./activitypub.ts";

/** Returns the URI of the QuoteRequest of a local quote. */
const requestUri = (accountUri: string, quoteId: string): string =>
  `${accountUri}#quote_requests/${quoteId}`;

const REQUEST = /#quote_requests\/(\d{1,18})$/;

/** Reads the quote's id from the URI of a local QuoteRequest. */
export const quoteIdOf = (uri: string): string | null => REQUEST.exec(uri)?.[1] ?? null;

/** Makes the QuoteRequest of a local status; `note` is that status as an object, with its context. */
export const quoteRequest = (view: FederatedStatus, note: Sendable): Sendable => {
  const { account, quote } = view;
  const id = requestUri(account.uri, quote!.id);
  return requestActivity(
    "quote",
    { id, actorUri: account.uri, targetUri: quote!.quoted_uri },
    note,
  );
};

/**
 * Makes the Announce of a local reblog, without `@context`. It contains the whole post where that is the author's own
 * private one.
 */
export const announceObject = (view: FederatedStatus, site: Site): Activity => {
  const target = view.reblog!;
  return {
    id: view.uri,
    type: "Announce",
    actor: view.account.uri,
    published: moment(view.created_at),
    ...announceAudience(view.visibility, view.account.uri, target.account.uri),
    object: openTo("elsewhere", target) ? target.uri : noteObject(target, site),
    ...(view.approval_uri && { [approvalMember("announce")]: view.approval_uri }),
  };
};

/** Puts the reblogged author first in `cc`. */
const announceAudience = (visibility: Visibility, actorUri: string, authorUri: string | null) => {
  const { to, cc } = audience(visibility, actorUri, []);
  return { to, cc: authorUri === null ? cc : [authorUri, ...cc] };
};

const announceContext = ({ reblog, approval_uri: approval }: FederatedStatus) => {
  if (approval) return [AS_CONTEXT, approvalTerms("announce")];
  return !reblog || openTo("elsewhere", reblog) ? AS_CONTEXT : noteContext([reblog]);
};

export const announceActivity = (view: FederatedStatus, site: Site): Sendable =>
  sendable({
    "@context": announceContext(view),
    ...announceObject(view, site),
  });

/** Makes the activity at `…/activity` of a status: Create, or Announce for a reblog. */
export const statusActivity = (view: FederatedStatus, site: Site): Sendable =>
  view.reblog ? announceActivity(view, site) : createActivity(view, site);

/** Makes the activity by which the server's own actor announces a post to relays of LitePub's kind. */
export const relayAnnounce = (
  { uri }: FederatedStatus,
  { id, actor, at }: { id: string; actor: string; at: Date },
): Sendable =>
  sendable({
    "@context": AS_CONTEXT,
    id,
    type: "Announce",
    actor,
    published: at.toISOString(),
    to: [AS_PUBLIC],
    object: uri,
  });

/** An emoji with which a local person favourites; `tag` describes one of the server's own. */
export type SentReaction = { text: string; tag: Activity[]; asEmojiReact: boolean };

const REACTION_CONTEXT = [
  AS_CONTEXT,
  {
    toot: NOTE_TERMS.toot,
    Emoji: "toot:Emoji",
    _misskey_reaction: "https://misskey-hub.net/ns#_misskey_reaction",
    EmojiReact: "http://litepub.social/ns#EmojiReact",
  },
];

/**
 * Makes the id from the two URIs, so that it can be undone when nothing else is known. A reaction is a Like with
 * `content` (FEP-c0e0) and Misskey's member; software that knows neither takes it for a favourite. Software of
 * Pleroma's kind gets an EmojiReact.
 */
export const likeActivity = (
  actorUri: string,
  { id, uri }: FederatedStatus,
  reaction: SentReaction | null = null,
): Sendable =>
  sendable({
    "@context": reaction ? REACTION_CONTEXT : AS_CONTEXT,
    id: `${actorUri}#likes/${id}`,
    type: reaction?.asEmojiReact ? "EmojiReact" : "Like",
    actor: actorUri,
    object: uri,
    ...(reaction && {
      content: reaction.text,
      ...(!reaction.asEmojiReact && { _misskey_reaction: reaction.text }),
      ...(reaction.tag.length > 0 && { tag: reaction.tag }),
    }),
  });

/** Makes a Like that the author's server allowed. */
export const approvedLike = (like: Sendable, approvalUri: string): Sendable =>
  sendable({
    ...like,
    "@context": [...[like["@context"]].flat(), approvalTerms("like")],
    [approvalMember("like")]: approvalUri,
  });

/** Makes the request for a local account's act on a post whose author has to be asked. */
export const askFor = (
  kind: Interaction,
  interaction: Sendable,
  { uri: targetUri }: { uri: string },
): Sendable => {
  const ids = {
    id: requestUriOf(String(interaction["id"])),
    actorUri: String(interaction["actor"] ?? interaction["attributedTo"]),
    targetUri,
  };
  return requestActivity(kind, ids, interaction);
};

const REQUEST_SUFFIX = "#request";
const requestUriOf = (interactionUri: string): string => interactionUri + REQUEST_SUFFIX;

/** Returns the post or activity that a local request was about, by the request's address. */
export const askedFor = (requestUri: string): string =>
  requestUri.endsWith(REQUEST_SUFFIX) ? requestUri.slice(0, -REQUEST_SUFFIX.length) : requestUri;

/** Makes the Undo of a reblog, which contains the Announce as it was sent. */
export const undoAnnounce = (actorUri: string, removed: FederatedRemoval): Sendable =>
  undo(
    sendable({
      id: removed.uri,
      type: "Announce",
      actor: actorUri,
      published: moment(new Date(removed.createdAt)),
      ...announceAudience(removed.visibility, actorUri, removed.reblogOfAuthorUri),
      object: removed.reblogOfUri ?? "",
    }),
    { to: [AS_PUBLIC] },
  );

/** Makes the activity that pins (Add) or unpins (Remove) a status. */
export const pinActivity = (type: "Add" | "Remove", { account, uri }: FederatedStatus): Sendable =>
  sendable({
    "@context": AS_CONTEXT,
    type,
    actor: account.uri,
    target: `${account.uri}/collections/featured`,
    object: uri,
  });
