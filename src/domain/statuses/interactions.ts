// Who may answer, favourite and boost a remote post (GoToSocial's interactionPolicy). What its author lets nobody here do is
// refused here, because the author's server would drop it. Where a follower or another group may, or the author
// decides by hand, that server judges.
// https://docs.gotosocial.org/en/latest/federation/interaction_policy/

import { Forbidden } from "../../platform/errors.ts";
import { isRecord } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { bitsOf } from "./quotes/parse.ts";
import type { Author } from "./quotes/parse.ts";
import { QUOTERS } from "./quotes/policy.ts";
import { isMentioned } from "./rules.ts";
import type { StatusView } from "./tables.ts";

/** Five bits each: four groups (QUOTERS), and that something is said at all. */
const SHIFTS = { reply: 0, like: 5, announce: 10 } as const;
const SAID = 16;
const MASK = 31;

export type Interaction = keyof typeof SHIFTS;

const MEMBERS: Record<Interaction, string> = {
  reply: "canReply",
  like: "canLike",
  announce: "canAnnounce",
};

/** With the names of older versions. */
const LISTS = ["automaticApproval", "manualApproval", "always", "approvalRequired"];

const bitsFor = (rule: unknown, author: Author): number =>
  isRecord(rule) && LISTS.some((name) => name in rule)
    ? LISTS.reduce((bits, name) => bits | bitsOf(rule[name], author), SAID)
    : 0;

/** As bits; 0: nothing is said, and everybody who sees it may. */
export const parseInteractions = (note: Json, author: Author): number => {
  const policy = note["interactionPolicy"];
  if (!isRecord(policy)) return 0;
  return Object.entries(SHIFTS).reduce(
    (bits, [name, shift]) =>
      bits | (bitsFor(policy[MEMBERS[name as Interaction]], author) << shift),
    0,
  );
};

/** May the view's viewer do so, as far as is known here? */
export const mayInteract = (view: StatusView, interaction: Interaction): boolean => {
  const bits = (view.interaction_policy >> SHIFTS[interaction]) & MASK;
  if (bits === 0 || view.viewer?.id === view.account_id) return true;
  if (interaction === "reply" && isMentioned(view)) return true;
  const isFollower = view.viewer?.relation?.following === true;
  if ((bits & QUOTERS.followers) !== 0 && isFollower) return true;
  return (bits & (QUOTERS.public | QUOTERS.following | QUOTERS.unsupported)) !== 0;
};

const REFUSALS: Record<Interaction, string> = {
  reply: "The author of this post does not let you reply to it.",
  like: "The author of this post does not let you favourite it.",
  announce: "The author of this post does not let you boost it.",
};

/** Throws Forbidden unless the view's viewer may. */
export const checkInteraction = (view: StatusView, interaction: Interaction): void => {
  if (!mayInteract(view, interaction)) throw new Forbidden(REFUSALS[interaction]);
};
