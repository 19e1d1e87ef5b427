// Who may answer a post, as its author here chooses it: bits of interaction_policy, beside what authors elsewhere say
// (rules.ts); and what the API shows of it (decision 0165).

import { joinPolicy, policyLists, QUOTERS } from "../accounts/policies.ts";
import type { ReplyPolicy } from "../accounts/policies.ts";
import type { UserSettings } from "../accounts/tables.ts";
import { approachTo, CLOSED, INTERACTION_BITS, ruleOf, SAID } from "./rules.ts";
import type { QuoteRight } from "./rules.ts";
import type { StatusView } from "./tables.ts";
import { openToFollowers } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

const GROUPS: Record<ReplyPolicy, number> = {
  public: QUOTERS.public,
  followers: QUOTERS.followers,
  following: QUOTERS.following,
  mentioned: 0,
  nobody: CLOSED,
};

/** 0 where everybody may: then nothing is said, and nothing costs anything. */
export const replyBits = (policy: ReplyPolicy): number =>
  policy === "public" ? 0 : GROUPS[policy] | (SAID << INTERACTION_BITS.reply.automatic);

/** Of a new post; a private mention is for those whom it names, whatever they may do with other posts. */
export const replyPolicyOf = (
  input: ReplyPolicy | null | undefined,
  { reply_policy: usual = "public" }: UserSettings,
  status: VisibilityFacts,
): ReplyPolicy => input ?? (openToFollowers(status) ? usual : "public");

export const restrictsReplies = ({ interaction_policy: bits }: { interaction_policy: number }) =>
  ruleOf(bits, "reply").isSaid;

/** Who may answer at once, as bits of QUOTERS. */
export const replyGroups = ({ interaction_policy: bits }: { interaction_policy: number }) =>
  ruleOf(bits, "reply").automatic;

/** Of a post here: those whom its author follows may answer, which is not known of a view. */
export const dependsOnFollowing = ({ local, interaction_policy: bits }: StatusView): boolean =>
  local && (ruleOf(bits, "reply").automatic & QUOTERS.following) !== 0;

/** As of quotes; `unknown`: whom the author follows decides. */
export const replyRight = (view: StatusView): QuoteRight => {
  if (view.viewer === null) return "denied";
  const approach = approachTo(view, "reply");
  if (approach !== "denied") return approach === "ask" ? "manual" : "automatic";
  return dependsOnFollowing(view) && !view.awaits_approval ? "unknown" : "denied";
};

/** Null where everybody who sees it may answer. */
export const replyApproval = (view: StatusView) => {
  if (!restrictsReplies(view)) return null;
  const { automatic, manual } = ruleOf(view.interaction_policy, "reply");
  const lists = policyLists(joinPolicy(automatic, manual));
  const isClosed = (view.interaction_policy & CLOSED) !== 0;
  return {
    automatic: [...lists.automatic, ...(isClosed ? [] : ["mentioned"])],
    manual: lists.manual,
    current_user: replyRight(view),
  };
};
