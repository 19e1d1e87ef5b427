// Who may quote a local status: people choose one of three policies; remote statuses may name more groups, and some that
// need manual approval (FEP-044f, accounts/policy-bits.ts).

import { QUOTERS } from "../../accounts/policy-bits.ts";
import { openToEverybody } from "../visibility.ts";
import type { VisibilityFacts } from "../visibility.ts";

export type QuotePolicy = "public" | "followers" | "nobody";
export const QUOTE_POLICIES = ["public", "followers", "nobody"] as const;

const BITS: Record<QuotePolicy, number> = {
  public: QUOTERS.public,
  followers: QUOTERS.followers,
  nobody: 0,
};

/** Posts that not everybody may see are quoted by their author alone. */
export const policyBits = (policy: QuotePolicy, status: VisibilityFacts): number =>
  openToEverybody(status) ? BITS[policy] : 0;
