// Declares the terms in the @context of notes: each document has exactly those that its notes need.

import { AS_CONTEXT } from "../../people/accounts/activitypub.ts";
import { FEP, GTS, reference } from "../../people/approvals/requests.ts";
import { EVENT_TERMS } from "../events/activitypub.ts";
import type { Interaction } from "./rules.ts";
import type { FederatedStatus, StatusView } from "./tables.ts";
import { isCircle } from "./visibility.ts";

export const POLICY_TERMS = {
  gts: GTS,
  interactionPolicy: reference("gts:interactionPolicy"),
  canQuote: reference("gts:canQuote"),
  canReply: reference("gts:canReply"),
  canLike: reference("gts:canLike"),
  canAnnounce: reference("gts:canAnnounce"),
  automaticApproval: reference("gts:automaticApproval"),
  manualApproval: reference("gts:manualApproval"),
};

const QUOTE_TERMS = {
  quote: reference(`${FEP}quote`),
  quoteAuthorization: reference(`${FEP}quoteAuthorization`),
  quoteUri: "http://fedibird.com/ns#quoteUri",
  quoteUrl: "as:quoteUrl",
  _misskey_quote: "https://misskey-hub.net/ns#_misskey_quote",
};

/** Returns whether the note contains its quote, which it does not once the quote was rejected or revoked. */
export const includesQuote = ({ quote }: StatusView): boolean =>
  quote !== null && quote.state !== "rejected" && quote.state !== "revoked";

export const NOTE_TERMS = {
  ostatus: "http://ostatus.org#",
  atomUri: "ostatus:atomUri",
  inReplyToAtomUri: "ostatus:inReplyToAtomUri",
  conversation: "ostatus:conversation",
  sensitive: "as:sensitive",
  toot: "http://joinmastodon.org/ns#",
  votersCount: "toot:votersCount",
};

/**
 * Declares the time at which a post ends as Hubzilla and (streams) do: `endTime` would be the end of a Question's poll.
 */
const END_TERMS = { zot: "https://hubzilla.org/apschema#", expires: "zot:expires" };

/**
 * Returns the name of the member for the authorization by the author of the post that is replied to, favourited or
 * boosted (GoToSocial).
 */
export const approvalMember = (kind: Interaction): string => `${kind}Authorization`;

export const approvalTerms = (kind: Interaction) => ({
  gts: GTS,
  [approvalMember(kind)]: reference(`gts:${approvalMember(kind)}`),
});

const APPROVAL_TERMS = approvalTerms("reply");

const MEDIA_TERMS = {
  blurhash: "toot:blurhash",
  focalPoint: { "@container": "@list", "@id": "toot:focalPoint" },
};

/**
 * Declares kmyblue's terms for a limited audience: without them a post that mentions nobody is taken for a private
 * mention.
 */
const CIRCLE_TERMS = {
  kmyblue: "http://kmy.blue/ns#",
  limitedScope: "kmyblue:limitedScope",
};

/** All terms of notes. */
export const ALL_NOTE_TERMS = {
  ...NOTE_TERMS,
  ...POLICY_TERMS,
  ...QUOTE_TERMS,
  ...APPROVAL_TERMS,
  ...MEDIA_TERMS,
  ...END_TERMS,
  ...CIRCLE_TERMS,
  ...EVENT_TERMS,
  Hashtag: "as:Hashtag",
  Emoji: "toot:Emoji",
};

/** Returns the `@context` for notes, with exactly the terms that these need. */
export const noteContext = (views: FederatedStatus[]) => [
  AS_CONTEXT,
  {
    ...NOTE_TERMS,
    ...POLICY_TERMS,
    ...(views.some(includesQuote) && QUOTE_TERMS),
    ...(views.some((view) => view.approval_uri !== null) && APPROVAL_TERMS),
    ...(views.some(isCircle) && CIRCLE_TERMS),
    ...(views.some((view) => view.media.length > 0) && MEDIA_TERMS),
    ...(views.some((view) => view.event !== null) && EVENT_TERMS),
    ...(views.some((view) => view.expires_at !== null) && END_TERMS),
    ...(views.some((view) => view.tags.length > 0) && { Hashtag: "as:Hashtag" }),
    ...(views.some((view) => view.emojis.length > 0) && { Emoji: "toot:Emoji" }),
  },
];
