// Encodes policies as bits: which groups of people may do something (quote a post, feature an account) at once, and
// which after asking. Decides who may put an account into a collection (FEP-7aa9).
// https://docs.joinmastodon.org/entities/QuoteApproval/ https://docs.joinmastodon.org/entities/FeatureApproval/

import { idsOf, isRecord } from "../../../platform/json/read.ts";
import type { AccountView } from "./tables.ts";

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

/**
 * Returns as bits who may put an account into a collection (FEP-7aa9). Local people who want to be found may be
 * featured by everybody, or only by their followers where they approve those; for others the policy of their server
 * holds. Null, where their server states none, allows nobody.
 */
export const featurePolicy = (view: AccountView): number | null => {
  if (view.domain !== null) return view.feature_policy;
  if (!view.discoverable) return 0;
  return view.locked ? QUOTERS.followers : QUOTERS.public;
};

type FeatureRight = "automatic" | "manual" | "denied" | "unknown" | "missing";

/** Which of the two follows the other: somebody and the account. */
export type Standing = { follows: boolean; followed: boolean };

const STRANGER: Standing = { follows: false, followed: false };

export const featureRight = (view: AccountView, standing = STRANGER): FeatureRight => {
  const policy = featurePolicy(view);
  if (policy === null) return "missing";
  const reaches = (bits: number): boolean =>
    (bits & QUOTERS.public) !== 0 ||
    (standing.follows && (bits & QUOTERS.followers) !== 0) ||
    (standing.followed && (bits & QUOTERS.following) !== 0);
  const [automatic, manual] = [automaticBits(policy), manualBits(policy)];
  if (reaches(automatic)) return "automatic";
  if (reaches(manual)) return "manual";
  return ((automatic | manual) & QUOTERS.unsupported) !== 0 ? "unknown" : "denied";
};

/** Returns whether the right depends on who follows whom. */
export const dependsOnFollows = (view: AccountView): boolean => {
  const policy = featurePolicy(view) ?? 0;
  const groups = QUOTERS.followers | QUOTERS.following;
  return ((automaticBits(policy) | manualBits(policy)) & groups) !== 0;
};

/** Returns whether the account may be asked at all. Hidden accounts and those that moved away are in no collection. */
export const isFeaturable = (view: AccountView, standing: Standing): boolean => {
  const right = featureRight(view, standing);
  return (
    (right === "automatic" || right === "manual") &&
    view.suspended_at === null &&
    view.moved_to_account_id === null &&
    !view.pending
  );
};
