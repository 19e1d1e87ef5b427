// Who may answer, favourite and boost a remote post (GoToSocial's interactionPolicy). What its author lets nobody here do is
// refused here, because the author's server would drop it. Where followers or another group may, or the author decides by
// hand, that server is asked first (flows/approvals.ts); one that cannot be asked gets the activity itself and judges.
// https://docs.gotosocial.org/en/latest/federation/interaction_controls/

import { Forbidden } from "../../platform/errors.ts";
import { isRecord } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { bitsOf } from "../accounts/policy-bits.ts";
import type { Author } from "../accounts/policy-bits.ts";
import { QUOTERS } from "../accounts/policy-bits.ts";
import type { StatusView } from "./tables.ts";
import { openToEverybody } from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

/**
 * Of each: the groups (QUOTERS) that may at once, and that something is said at all; the groups of whom the author
 * decides; whether the author's server can be asked.
 */
const SHIFTS = {
  reply: { automatic: 0, manual: 15, asked: 27 },
  like: { automatic: 5, manual: 19, asked: 28 },
  announce: { automatic: 10, manual: 23, asked: 29 },
} as const;
const GROUPS = 15;
const SAID = 16;

export type Interaction = keyof typeof SHIFTS;

const MEMBERS: Record<Interaction, string> = {
  reply: "canReply",
  like: "canLike",
  announce: "canAnnounce",
};

/** Each with its name of before, by which nobody could be asked. */
const AUTOMATIC = ["automaticApproval", "always"];
const MANUAL = ["manualApproval", "approvalRequired"];

const bitsFor = (rule: unknown, author: Author, interaction: Interaction): number => {
  if (!isRecord(rule) || ![...AUTOMATIC, ...MANUAL].some((name) => name in rule)) return 0;
  const groups = (names: string[]): number =>
    names.reduce((bits, name) => bits | bitsOf(rule[name], author), 0);
  const { automatic, manual, asked } = SHIFTS[interaction];
  const canBeAsked = AUTOMATIC[0]! in rule || MANUAL[0]! in rule;
  return (
    ((groups(AUTOMATIC) | SAID) << automatic) |
    (groups(MANUAL) << manual) |
    (Number(canBeAsked) << asked)
  );
};

/** As bits; 0: nothing is said, and everybody who sees it may. */
export const parseInteractions = (note: Json, author: Author): number => {
  const policy = note["interactionPolicy"];
  if (!isRecord(policy)) return 0;
  return Object.entries(MEMBERS).reduce(
    (bits, [name, member]) => bits | bitsFor(policy[member], author, name as Interaction),
    0,
  );
};

type Rule = { isSaid: boolean; automatic: number; manual: number; canBeAsked: boolean };

const ruleOf = (bits: number, interaction: Interaction): Rule => {
  const { automatic, manual, asked } = SHIFTS[interaction];
  return {
    isSaid: ((bits >> automatic) & SAID) !== 0,
    automatic: (bits >> automatic) & GROUPS,
    manual: (bits >> manual) & GROUPS,
    canBeAsked: ((bits >> asked) & 1) !== 0,
  };
};

type Restricted = { interaction_policy: number };

/** Not everybody who sees it may, and its server answers requests: what is done without one is dropped by others. */
export const isRestricted = (
  { interaction_policy: bits }: Restricted,
  interaction: Interaction,
) => {
  const { isSaid, automatic, canBeAsked } = ruleOf(bits, interaction);
  return isSaid && canBeAsked && (automatic & QUOTERS.public) === 0;
};

/** Of somebody else's: whether it has to be shown that the author allowed it. Followers see what is for followers alone. */
export const needsProof = (
  status: Restricted & VisibilityFacts,
  interaction: Interaction,
): boolean => {
  const { automatic } = ruleOf(status.interaction_policy, interaction);
  const isForThoseWhoSee = !openToEverybody(status) && (automatic & QUOTERS.followers) !== 0;
  return isRestricted(status, interaction) && !isForThoseWhoSee;
};

/** Who is named or answered may always answer. */
const isMeant = ({ viewer, mentions, in_reply_to_account_id: answered }: StatusView): boolean =>
  viewer !== null && (answered === viewer.id || mentions.some(({ id }) => id === viewer.id));

/** Whether the view's viewer may do so, as far as is known here: at once, after asking, or not at all. */
export const approachTo = (
  view: StatusView,
  interaction: Interaction,
): "free" | "ask" | "denied" => {
  // What nobody else sees yet cannot be answered or boosted.
  if (view.awaits_approval && interaction !== "like") return "denied";
  const { isSaid, automatic, manual } = ruleOf(view.interaction_policy, interaction);
  if (!isSaid || view.viewer?.id === view.account_id) return "free";
  if (interaction === "reply" && isMeant(view)) return "free";
  if ((automatic & QUOTERS.public) !== 0) return "free";
  const isFollower = view.viewer?.relation?.following === true;
  const open = QUOTERS.public | QUOTERS.following | QUOTERS.unsupported;
  const mine = open | (isFollower ? QUOTERS.followers : 0);
  if (((automatic | manual) & mine) === 0) return "denied";
  return isRestricted(view, interaction) ? "ask" : "free";
};

const REFUSALS: Record<Interaction, string> = {
  reply: "The author of this post does not let you reply to it.",
  like: "The author of this post does not let you favourite it.",
  announce: "The author of this post does not let you boost it.",
};
const AWAITS = "This post waits for the approval of whom it answers.";

/** Throws Forbidden where the view's viewer may not; true: the author has to be asked. */
export const checkInteraction = (view: StatusView, interaction: Interaction): boolean => {
  const approach = approachTo(view, interaction);
  if (approach === "denied")
    throw new Forbidden(view.awaits_approval ? AWAITS : REFUSALS[interaction]);
  return approach === "ask";
};
