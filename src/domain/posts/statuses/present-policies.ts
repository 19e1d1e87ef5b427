// Presents who may reply to, favourite and boost a post: in words of this server, and in those of GoToSocial's API.

import { joinPolicy, policyLists, QUOTERS } from "../../people/accounts/policies.ts";
import { CLOSED, isNarrowed, replyRight, restrictsReplies, rightTo, ruleOf } from "./rules.ts";
import type { Approach, Interaction } from "./rules.ts";
import type { StatusView } from "./tables.ts";
import { openTo } from "./visibility.ts";

/** The names that GoToSocial's API gives the acts. */
const ACTS = { can_favourite: "like", can_reply: "reply", can_reblog: "announce" } as const;

/** Returns whether some of those who see a post may not do one of the acts at once. */
const isNarrow = (view: StatusView): boolean =>
  Object.values(ACTS).some((act) => isNarrowed(view, act));

/** Returns the groups for whom the author decides at once and by hand, "me" with the one that the viewer is in. */
const groupsThatMay = (view: StatusView, interaction: Interaction) => {
  const { isSaid, automatic, manual } = ruleOf(view.interaction_policy, interaction);
  const isForAuthor = interaction === "announce" && !openTo("world", view);
  const bits = isForAuthor ? 0 : isSaid ? automatic : QUOTERS.public;
  const isOpenToMeant = interaction === "reply" && (view.interaction_policy & CLOSED) === 0;
  const right = rightTo(view, interaction);
  const known = (lists: string[]) => lists.filter((group) => group !== "unsupported_policy");
  const lists = policyLists(joinPolicy(bits, manual));
  const me = (named: Approach) => (right === named ? ["me"] : []);
  const always = known([...lists.automatic, ...(isOpenToMeant ? ["mentioned"] : []), "author"]);
  return { always: [...always, ...me("free")], byHand: [...known(lists.manual), ...me("ask")] };
};

/** Returns a rule of GoToSocial's API, by the newer names and the older ones. */
export const interactionRule = (always: string[], byHand: string[] = []) => ({
  automatic_approval: always,
  manual_approval: byHand,
  always,
  with_approval: byHand,
});

/** Returns who may act on a post as GoToSocial's API says it; null where everybody who sees it may. */
const interactionPolicy = (view: StatusView) =>
  isNarrow(view)
    ? Object.fromEntries(
        Object.entries(ACTS).map(([name, interaction]) => {
          const { always, byHand } = groupsThatMay(view, interaction);
          return [name, interactionRule(always, byHand)];
        }),
      )
    : null;

/** Returns null where everybody who sees it may reply. */
const replyApproval = (view: StatusView) => {
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

/** Returns the members that state who may act on it, or null where everybody who sees it may (extensions). */
export const interactionMembers = (view: StatusView) => {
  const [reply_approval, interaction_policy] = [replyApproval(view), interactionPolicy(view)];
  if (!reply_approval && !interaction_policy) return null;
  return {
    ...(reply_approval && { reply_approval }),
    ...(interaction_policy && { interaction_policy }),
  };
};
