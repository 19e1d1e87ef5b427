// Who may quote a status, as bits. Local people choose one of three policies; remote statuses may
// name more groups, and some that need manual approval (FEP-044f).
// https://docs.joinmastodon.org/entities/QuoteApproval/

import { openToEverybody } from "../visibility.ts";
import type { VisibilityFacts } from "../visibility.ts";

export type QuotePolicy = "public" | "followers" | "nobody";
export const QUOTE_POLICIES = ["public", "followers", "nobody"] as const;

/**
 * In the order of their bits: the lowest four are approved automatically, the next four manually.
 */
const WHO = ["public", "followers", "following", "unsupported_policy"] as const;
const MANUAL_SHIFT = WHO.length;

export const QUOTERS = { public: 1, followers: 2, following: 4, unsupported: 8 } as const;

const BITS: Record<QuotePolicy, number> = {
  public: QUOTERS.public,
  followers: QUOTERS.followers,
  nobody: 0,
};

/** Posts that not everybody may see are quoted by their author alone. */
export const policyBits = (policy: QuotePolicy, status: VisibilityFacts): number =>
  openToEverybody(status) ? BITS[policy] : 0;

/** Both lists of bits as one number. */
export const joinPolicy = (automatic: number, manual: number): number =>
  automatic | (manual << MANUAL_SHIFT);

export const automaticBits = (policy: number): number => policy & ((1 << MANUAL_SHIFT) - 1);
export const manualBits = (policy: number): number => policy >> MANUAL_SHIFT;

const namesOf = (bits: number) => WHO.filter((_, index) => (bits & (1 << index)) !== 0);

/** The lists of the QuoteApproval entity. */
export const policyLists = (policy: number) => ({
  automatic: namesOf(automaticBits(policy)),
  manual: namesOf(manualBits(policy)),
});
