// Encodes policies as bits: which groups of people may do something (quote a post, feature an account) at once, and
// which after asking. https://docs.joinmastodon.org/entities/QuoteApproval/
// https://docs.joinmastodon.org/entities/FeatureApproval/

import { idsOf, isRecord } from "../../../platform/json/read.ts";

const MAX_NAMED = 100;

/** Groups in the order of their bits: the lowest four are approved automatically, the next four manually. */
const WHO = ["public", "followers", "following", "unsupported_policy"] as const;
const MANUAL_SHIFT = WHO.length;

export const QUOTERS = { public: 1, followers: 2, following: 4, unsupported: 8 } as const;

/** Joins both lists of bits into one number. */
export const joinPolicy = (automatic: number, manual: number): number =>
  automatic | (manual << MANUAL_SHIFT);

export const automaticBits = (policy: number): number => policy & ((1 << MANUAL_SHIFT) - 1);
export const manualBits = (policy: number): number => policy >> MANUAL_SHIFT;

const namesOf = (bits: number) => WHO.filter((_, index) => (bits & (1 << index)) !== 0);

/** Returns the lists for the entities. */
export const policyLists = (policy: number) => ({
  automatic: namesOf(automaticBits(policy)),
  manual: namesOf(manualBits(policy)),
});

/**
 * Who may answer a local post, as its author chooses; people whom it names or answers may too, except with
 * `nobody`.
 */
export const REPLY_POLICIES = ["public", "followers", "following", "mentioned", "nobody"] as const;
export type ReplyPolicy = (typeof REPLY_POLICIES)[number];

export type Author = { actorUri: string; followersUrl: string | null };

const PUBLIC = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

const bitOf = (uri: string, { actorUri, followersUrl }: Author): number => {
  if (PUBLIC.has(uri)) return QUOTERS.public;
  if (uri === followersUrl) return QUOTERS.followers;
  if (uri === `${actorUri}/following`) return QUOTERS.following;
  // The author's own URI means that nobody else may.
  return uri === actorUri ? 0 : QUOTERS.unsupported;
};

export const bitsOf = (value: unknown, author: Author): number =>
  idsOf(value, MAX_NAMED).reduce((bits, uri) => bits | bitOf(uri, author), 0);

/** Reads both lists of a rule of an interactionPolicy; returns null where it states nothing. */
export const parseRule = (rule: unknown, author: Author): number | null =>
  isRecord(rule)
    ? joinPolicy(bitsOf(rule["automaticApproval"], author), bitsOf(rule["manualApproval"], author))
    : null;
