// Decides who may put an account into a collection (FEP-7aa9). https://docs.joinmastodon.org/entities/FeatureApproval/

import { QUOTERS, automaticBits, manualBits } from "./policies.ts";
import type { AccountView } from "./tables.ts";

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
