// Decides who may see, reblog or pin a status, without I/O, and equally on every path (REST, streaming, pages,
// ActivityPub, notifications). fragments.ts has the same rules in SQL; both ask one table (visibility.ts).

import { Forbidden } from "../../../platform/errors.ts";
import { automaticBits, manualBits, QUOTERS } from "../../people/accounts/policies.ts";
import type { ReplyPolicy, UserSettings } from "../../people/accounts/tables.ts";
import type { RemovedStatus } from "./removed.ts";
import type {
  FederatedRemoval,
  FederatedStatus,
  QuoteView,
  SeenStatus,
  StatusView,
} from "./tables.ts";
import {
  audienceOf,
  federates,
  isCircle,
  isDirect,
  openTo,
  openToFollowers,
  openToReblogs,
} from "./visibility.ts";
import type { VisibilityFacts } from "./visibility.ts";

const isAuthor = (view: StatusView): boolean => view.viewer?.id === view.account_id;

const isMentioned = (view: StatusView): boolean =>
  view.mentions.some((mention) => mention.id === view.viewer?.id);

const audienceAllows = (view: StatusView): boolean => {
  const audience = audienceOf(view.viewer);
  if (openTo(audience, view)) return true;
  if (audience === "elsewhere" && !federates(view)) return false;
  return isMentioned(view) || isFollowed(view);
};

const isFollowed = (view: StatusView): boolean =>
  openToFollowers(view) && view.viewer?.relation?.following === true;

/** Returns whether the visibility of a status includes the viewer. */
export const isAddressed = (view: StatusView): boolean => isAuthor(view) || audienceAllows(view);

/** Returns whether the view's viewer may see a status at all. A reblog is seen where both it and the original are. */
export const canSee = <T extends StatusView>(view: T): view is T & SeenStatus => {
  if (view.reblog && !canSee(view.reblog)) return false;
  if (view.account.suspended_at !== null) return false;
  if (view.awaits_approval && !isAuthor(view)) return false;
  return isAuthor(view) || (!view.viewer?.relation?.blocked_by && audienceAllows(view));
};

/**
 * Returns what remains of a status for viewers who may not see it: that it exists, when it was made, and its author.
 */
const withheld = (view: StatusView): SeenStatus =>
  ({
    ...view,
    text: "",
    content: "",
    spoiler_text: "",
    emojis: [],
    media: [],
    mentions: [],
    tags: [],
    reactions: [],
    poll: null,
    event: null,
    card: null,
    collections: [],
    quote: null,
    reblog: null,
  }) as StatusView as SeenStatus;

/**
 * Returns the view for somebody who takes back what they did to it: as they see it, else as everybody does (its author
 * blocked them), else without its contents.
 */
export const asStillSeen = (view: StatusView): SeenStatus => {
  if (canSee(view)) return view;
  return canSee({ ...view, viewer: null }) ? (view as SeenStatus) : withheld(view);
};

/**
 * Returns whether the media are hidden behind a warning, by the author, or by moderators for all posts of the author.
 */
export const isSensitive = (view: StatusView): boolean =>
  view.sensitive || view.account.sensitized_at !== null;

/**
 * Marks a status as seen without judging. Moderators see what they review whatever its audience (load.ts), and the
 * choice of channels decides who gets an event of the streams (timelines/readers.ts and streams.ts).
 */
export const assumeSeen = (view: StatusView): SeenStatus => view as SeenStatus;

/** Returns whether the server of its target's author may get it, to approve it. */
export const mayBeAskedFor = <T extends StatusView>(view: T): view is T & FederatedStatus =>
  federates(view) &&
  view.account.suspended_at === null &&
  (view.reblog === null || mayFederate(view.reblog));

/**
 * Returns whether other servers may get a status, a reblog with its original. It is checked before anything of a status
 * is sent or served to them; its visibility decides which of them get it.
 */
export const mayFederate = <T extends StatusView>(view: T): view is T & FederatedStatus =>
  !view.awaits_approval && mayBeAskedFor(view);

/**
 * Returns whether a status is in its author's archive, which has all that they wrote, whatever happened to it here; a
 * reblog with its original.
 */
export const isInArchive = <T extends StatusView>(view: T): view is T & FederatedStatus =>
  view.reblog === null || mayFederate(view.reblog);

/** Returns whether a status is in the archive of its viewer, as a private mention by somebody else. */
export const isReceived = <T extends SeenStatus>(view: T): view is T & FederatedStatus =>
  !isAuthor(view) && isDirect(view) && isMentioned(view);

/** The copy of a post to a circle that these members get: it does not name the other members. */
export const withRecipients = (view: FederatedStatus, ids: string[]): FederatedStatus => ({
  ...view,
  recipientIds: ids,
});

/**
 * Returns the mentions that everybody who sees it may know: nobody learns who else is in a circle, not even people who
 * reply there.
 */
export const openlyAddressed = (view: StatusView): StatusView["mentions"] =>
  isCircle(view) ? view.mentions.filter(({ silent }) => !silent) : view.mentions;

/** Returns the addressees that the present reader may know. */
export const addressees = (view: FederatedStatus): FederatedStatus["mentions"] => {
  const known = new Set([
    ...openlyAddressed(view).map(({ id }) => id),
    ...(view.recipientIds ?? []),
  ]);
  return view.mentions.filter(({ id }) => known.has(id) || id === view.viewer?.id);
};

/** Returns whether other servers may have a copy of the status, so that they need a Delete. */
export const mayHaveFederated = (removed: RemovedStatus): removed is FederatedRemoval =>
  federates(removed) && (openToFollowers(removed) || removed.mentionIds.length > 0);

const isHidden = (view: StatusView): boolean => {
  const relation = view.viewer?.relation;
  if (!relation || isAuthor(view)) return false;
  return relation.blocking || relation.muting || relation.blocked_by || relation.domain_blocking;
};

/**
 * Returns whether a status is shown in the viewer's timelines and lists: not from accounts that they muted or blocked,
 * alone or with the domain, nor as boosts of those.
 */
export const belongsInList = <T extends StatusView>(view: T): view is T & SeenStatus =>
  canSee(view) && !isHidden(view) && !(view.reblog && isHidden(view.reblog));

/** Returns whether the viewer may reblog a status: posts for the world, and one's own followers-only posts. */
export const canReblog = (view: StatusView): boolean => openToReblogs(view, isAuthor(view));

export type QuoteRight = "automatic" | "manual" | "denied" | "unknown";

const reaches = (bits: number, view: StatusView): boolean =>
  (bits & QUOTERS.public) !== 0 ||
  ((bits & QUOTERS.followers) !== 0 && view.viewer?.relation?.following === true);

/**
 * Returns the viewer's right to quote a status: `manual` where its remote author has to approve, `unknown` where it
 * depends on relations that are not known here. Posts that not everybody may see are quoted by their author alone,
 * direct ones by nobody.
 */
export const quoteRight = (view: StatusView): QuoteRight => {
  if (!view.viewer || !openToFollowers(view)) return "denied";
  if (isAuthor(view)) return "automatic";
  if (!openTo("world", view) || view.quote_policy === 0) return "denied";
  if (view.viewer.relation?.blocking || !canSee(view)) return "denied";
  const [automatic, manual] = [automaticBits(view.quote_policy), manualBits(view.quote_policy)];
  if (reaches(automatic, view)) return "automatic";
  if (reaches(manual, view)) return "manual";
  const unsure = QUOTERS.following | QUOTERS.unsupported;
  return ((automatic | manual) & unsure) !== 0 ? "unknown" : "denied";
};

/** The state of a quote as it is shown to the viewer. */
export type ShownState =
  | QuoteView["state"]
  | "deleted"
  | "unauthorized"
  | "blocked_account"
  | "blocked_domain"
  | "muted_account";

/** Returns the state: https://docs.joinmastodon.org/entities/Quote/#state */
export const quoteState = ({ state, status }: QuoteView): ShownState => {
  if (state !== "accepted") return state;
  if (!status) return "deleted";
  if (!canSee(status)) return "unauthorized";
  const relation = isAuthor(status) ? null : status.viewer?.relation;
  if (relation?.blocking) return "blocked_account";
  if (relation?.domain_blocking) return "blocked_domain";
  return relation?.muting ? "muted_account" : "accepted";
};

// Who may reply to, favourite and boost a post (GoToSocial's interactionPolicy): of posts here, who may reply
// (below). What a remote author lets nobody here do is refused here, because the author's server would drop
// it. Where followers or another group may, or the author decides by hand, that server is asked first
// (flows/approvals.ts); one that cannot be asked gets the activity itself and judges.
// https://docs.gotosocial.org/en/latest/federation/interaction_controls/

/**
 * Positions in the bits of each act: the groups (QUOTERS) that may act at once, and whether anything is stated; the
 * groups for whom the author decides; whether the author's server can be asked.
 */
export const INTERACTION_BITS = {
  reply: { automatic: 0, manual: 15, requested: 27 },
  like: { automatic: 5, manual: 19, requested: 28 },
  announce: { automatic: 10, manual: 23, requested: 29 },
} as const;
const GROUPS = 15;
/** Bit that is set for each act for which a policy is stated. */
export const SAID = 16;
/** Bit that is set where nobody may reply to a local post, not even people whom it mentions. */
export const CLOSED = 1 << 30;

export type Interaction = keyof typeof INTERACTION_BITS;

type Rule = { isSaid: boolean; automatic: number; manual: number; canBeAsked: boolean };

export const ruleOf = (bits: number, interaction: Interaction): Rule => {
  const { automatic, manual, requested } = INTERACTION_BITS[interaction];
  return {
    isSaid: ((bits >> automatic) & SAID) !== 0,
    automatic: (bits >> automatic) & GROUPS,
    manual: (bits >> manual) & GROUPS,
    canBeAsked: ((bits >> requested) & 1) !== 0,
  };
};

type Restricted = { interaction_policy: number };

/** Returns whether only some of those who see a post may act on it at once. */
export const isNarrowed = (
  { interaction_policy: bits }: Restricted,
  interaction: Interaction,
): boolean => {
  const { isSaid, automatic } = ruleOf(bits, interaction);
  return isSaid && (automatic & QUOTERS.public) === 0;
};

/** Returns whether, besides, its server can be asked; other servers then drop acts without an approval. */
export const isRestricted = (status: Restricted, interaction: Interaction): boolean =>
  isNarrowed(status, interaction) && ruleOf(status.interaction_policy, interaction).canBeAsked;

/**
 * Returns whether an act on somebody else's post has to show that the author allowed it. It need not where the post is
 * not for everybody elsewhere, and its policy allows followers, who alone see it.
 */
export const needsProof = (
  status: Restricted & VisibilityFacts,
  interaction: Interaction,
): boolean => {
  const { automatic } = ruleOf(status.interaction_policy, interaction);
  const isForThoseWhoSee = !openTo("elsewhere", status) && (automatic & QUOTERS.followers) !== 0;
  return isRestricted(status, interaction) && !isForThoseWhoSee;
};

/** Returns whether the viewer is mentioned or replied to; such a viewer may always reply. */
const isMeant = (view: StatusView): boolean =>
  view.viewer !== null &&
  (view.interaction_policy & CLOSED) === 0 &&
  (view.in_reply_to_account_id === view.viewer.id || isMentioned(view));

/** Returns the groups that the viewer is in, or may be in as far as is known here. */
const groupsOf = (view: StatusView, isFollowedByAuthor: boolean): number => {
  const unsure = view.local ? 0 : QUOTERS.following | QUOTERS.unsupported;
  const followers = view.viewer?.relation?.following === true ? QUOTERS.followers : 0;
  return QUOTERS.public | unsure | followers | (isFollowedByAuthor ? QUOTERS.following : 0);
};

/** At once, after asking, or not at all. */
export type Approach = "free" | "ask" | "denied";

/** Returns how the view's viewer may act, as far as is known here. */
const approachTo = (
  view: StatusView,
  interaction: Interaction,
  isFollowedByAuthor = false,
): Approach => {
  // A post that nobody else sees yet cannot be replied to or boosted.
  if (view.awaits_approval && interaction !== "like") return "denied";
  const { isSaid, automatic, manual } = ruleOf(view.interaction_policy, interaction);
  if (!isSaid || view.viewer?.id === view.account_id) return "free";
  if (interaction === "reply" && isMeant(view)) return "free";
  if ((automatic & QUOTERS.public) !== 0) return "free";
  const mine = groupsOf(view, isFollowedByAuthor);
  if (((automatic | manual) & mine) === 0) return "denied";
  return isRestricted(view, interaction) ? "ask" : "free";
};

const REFUSALS: Record<Interaction, string> = {
  reply: "The author of this post does not let you reply to it.",
  like: "The author of this post does not let you favourite it.",
  announce: "The author of this post does not let you boost it.",
};
const AWAITS = "This post waits for the approval of whom it answers.";

/**
 * Throws Forbidden where the view's viewer may not act; returns true where the author has to be asked.
 * `isFollowedByAuthor` matters for local posts to which people whom the author follows may reply.
 */
export const checkInteraction = (
  view: StatusView,
  interaction: Interaction,
  isFollowedByAuthor = false,
): boolean => {
  const approach = approachTo(view, interaction, isFollowedByAuthor);
  if (approach === "denied")
    throw new Forbidden(view.awaits_approval ? AWAITS : REFUSALS[interaction]);
  return approach === "ask";
};

// Rules of who may quote a local post: people choose one of three policies; remote posts may name more groups, and some
// that need manual approval (FEP-044f, accounts/policies.ts).

export type QuotePolicy = "public" | "followers" | "nobody";
export const QUOTE_POLICIES = ["public", "followers", "nobody"] as const;

const BITS: Record<QuotePolicy, number> = {
  public: QUOTERS.public,
  followers: QUOTERS.followers,
  nobody: 0,
};

/** Posts that not everybody may see are quoted by their author alone. */
export const policyBits = (policy: QuotePolicy, status: VisibilityFacts): number =>
  openTo("world", status) ? BITS[policy] : 0;

/** Bits of interaction_policy for each choice of who may reply (docs/design/approvals.md). */
const REPLIERS: Record<ReplyPolicy, number> = {
  public: QUOTERS.public,
  followers: QUOTERS.followers,
  following: QUOTERS.following,
  mentioned: 0,
  nobody: CLOSED,
};

/** Returns 0 where everybody may, which is stored as no policy and costs nothing. */
export const replyBits = (policy: ReplyPolicy): number =>
  policy === "public" ? 0 : REPLIERS[policy] | (SAID << INTERACTION_BITS.reply.automatic);

/**
 * Returns the policy of a new post; people whom a private mention names may reply to it, whatever the author's
 * default.
 */
export const replyPolicyOf = (
  input: ReplyPolicy | null | undefined,
  { reply_policy: usual = "public" }: UserSettings,
  status: VisibilityFacts,
): ReplyPolicy => input ?? (openToFollowers(status) ? usual : "public");

export const restrictsReplies = ({ interaction_policy: bits }: { interaction_policy: number }) =>
  ruleOf(bits, "reply").isSaid;

/** Returns who may reply at once, as bits of QUOTERS. */
export const replyGroups = ({ interaction_policy: bits }: { interaction_policy: number }) =>
  ruleOf(bits, "reply").automatic;

/** Returns whether replies to a local post depend on whom its author follows, which a view does not contain. */
export const dependsOnFollowing = ({ local, interaction_policy: bits }: StatusView): boolean =>
  local && (ruleOf(bits, "reply").automatic & QUOTERS.following) !== 0;

/** Returns the right to reply, as for quotes; `unknown` where it depends on whom the author follows. */
export const replyRight = (view: StatusView): QuoteRight => {
  if (view.viewer === null) return "denied";
  const approach = approachTo(view, "reply");
  if (approach !== "denied") return approach === "ask" ? "manual" : "automatic";
  return dependsOnFollowing(view) && !view.awaits_approval ? "unknown" : "denied";
};

/** Returns how the viewer may act; where it is not known whether the author lets them reply, they may try. */
export const rightTo = (view: StatusView, interaction: Interaction): Approach => {
  if (view.viewer === null || (interaction === "announce" && !canReblog(view))) return "denied";
  const isUnknown = interaction === "reply" && replyRight(view) === "unknown";
  return isUnknown ? "free" : approachTo(view, interaction);
};
