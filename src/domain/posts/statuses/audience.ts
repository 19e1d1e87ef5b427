// Translates parameters of other software about who sees a post and may act on it, or refuses them. None is ignored,
// because the post would reach more people than its author meant. glitch-soc and Hometown: local_only. GoToSocial:
// federated, boostable, replyable, likeable, interaction_policy
// (https://docs.gotosocial.org/en/latest/federation/interaction_policy/). Pleroma, Akkoma: to, preview. Pixelfed:
// comments_disabled. Fedibird: circle_id, searchability.

import { Unprocessable } from "../../../platform/errors.ts";
import type { Static } from "../../../platform/http/schema.ts";
import { PRIVACIES } from "../../people/accounts/schema.ts";
import type { ReplyPolicy } from "../../people/accounts/tables.ts";
import type { QuotePolicy } from "./rules.ts";
import { AUDIENCE, BESIDE_STATUSES } from "./schema.ts";
import type { AudienceBody, ReachBody } from "./schema.ts";
import { federates, openTo, openToFollowers, stayingHere } from "./visibility.ts";
import type { Visibility } from "./visibility.ts";

type AudienceInput = Static<typeof AudienceBody>;
type Reach = Static<typeof ReachBody>;
type RuleInput = NonNullable<AudienceInput["interaction_policy"]>["can_reply"];

/**
 * Who may favourite and boost the post, in words of GoToSocial. Everybody who sees it can, so that the limits have to
 * allow that.
 */
export type Limits = { favourites?: string[]; boosts?: string[] };

/** What a draft states in this server's own words. */
export type Meant = {
  visibility?: Visibility | null | undefined;
  local_only?: boolean | null | undefined;
  limits?: Limits | undefined;
  reply_approval_policy?: ReplyPolicy | null | undefined;
  quote_approval_policy?: QuotePolicy | null | undefined;
};

const invalid = (what: string) => new Unprocessable(`Validation failed: ${what}`);

const notKnown = (name: string) =>
  invalid(`${name} says who the post is for in a way that is not known here`);

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** Parameters that have no meaning here, with the values that request nothing. */
const REFUSED = {
  to: isEmpty,
  circle_id: isEmpty,
  preview: isEmpty,
  searchability: (value: unknown) => isEmpty(value) || value === "public",
};

/** Names of people whom an author need not state. */
const SELF = new Set(["author", "me"]);

const groupsOf = (rule: RuleInput): string[] | null => {
  const groups = rule?.always ?? rule?.automatic_approval;
  if (!rule || (!groups && !rule.with_approval && !rule.manual_approval)) return null;
  return (groups ?? []).filter((group) => !SELF.has(group));
};

/** Returns the policy that allows exactly these; people whom a post mentions may always reply to it. */
const policyOf = <T extends string>(
  name: string,
  groups: string[],
  policies: Record<string, T>,
  nobody: T,
): T => {
  const known = new Set([...Object.keys(policies), "mentioned"]);
  const unknown = groups.find((group) => !known.has(group));
  if (unknown !== undefined)
    throw invalid(`Interaction policy ${name} has "${unknown}", which is not known here`);
  const { public: everybody, ...others } = policies;
  if (groups.includes("public")) return everybody!;
  const named = Object.keys(others).filter((group) => groups.includes(group));
  const groupsAlone = named.filter((group) => group !== "mentioned");
  if (groupsAlone.length > 1)
    throw invalid(`Interaction policy ${name} can have one of ${groupsAlone.join(", ")}`);
  return policies[groupsAlone[0] ?? named[0] ?? ""] ?? nobody;
};

const REPLIERS: Record<string, ReplyPolicy> = {
  public: "public",
  followers: "followers",
  following: "following",
  mentioned: "mentioned",
};
const QUOTERS: Record<string, QuotePolicy> = { public: "public", followers: "followers" };

const repliesOf = (input: AudienceInput): ReplyPolicy | undefined => {
  if (input.replyable === false || input.comments_disabled) return "nobody";
  const groups = groupsOf(input.interaction_policy?.can_reply);
  return groups ? policyOf("can_reply", groups, REPLIERS, "nobody") : undefined;
};

const quotesOf = ({ interaction_policy: policy }: AudienceInput): QuotePolicy | undefined => {
  const groups = groupsOf(policy?.can_quote);
  return groups ? policyOf("can_quote", groups, QUOTERS, "nobody") : undefined;
};

const limitsOf = ({ interaction_policy: policy, ...input }: AudienceInput): Limits => {
  const favourites = input.likeable === false ? [] : groupsOf(policy?.can_favourite);
  const boosts = input.boostable === false ? [] : groupsOf(policy?.can_reblog);
  return { ...(favourites && { favourites }), ...(boosts && { boosts }) };
};

export const isLocalOnly = ({ local_only: stays, federated }: Reach): boolean =>
  stays === true || federated === false;

/** Throws Unprocessable where a thread or draft states an audience outside of its posts. */
export const refuseBeside = (body: Record<string, unknown>): void => {
  const said = Object.keys(BESIDE_STATUSES).find(
    (name) => ![undefined, null, ""].includes(body[name] as null),
  );
  if (said !== undefined) throw invalid(`${said} has to be in each of the statuses`);
};

/**
 * Returns the exact visibility in responses about posts to be written again, which takes precedence over the nearest
 * known one.
 */
const exactOf = ({ audience, circle }: AudienceInput): Visibility | undefined =>
  audience ?? (circle ? "circle" : undefined);

/**
 * Returns the draft in this server's own words, which take precedence. Throws Unprocessable for values that are not
 * known here.
 */
export const withAudience = <T extends Meant & AudienceInput>(
  draft: T,
): Omit<T, keyof AudienceInput> & Meant => {
  for (const [name, asksNothing] of Object.entries(REFUSED)) {
    if (asksNothing(draft[name as keyof typeof REFUSED])) continue;
    throw notKnown(name);
  }
  const rest: Record<string, unknown> = { ...draft };
  for (const name of Object.keys(AUDIENCE)) delete rest[name];
  const limits = limitsOf(draft);
  const exact = exactOf(draft);
  const replies = draft.reply_approval_policy ?? repliesOf(draft);
  const quotes = draft.quote_approval_policy ?? quotesOf(draft);
  return {
    ...(rest as Omit<T, keyof AudienceInput>),
    ...(exact && { visibility: exact }),
    ...(isLocalOnly(draft) && { local_only: true }),
    ...(replies && { reply_approval_policy: replies }),
    ...(quotes && { quote_approval_policy: quotes }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
};

/**
 * Returns the visibility with which it stays here. Throws Unprocessable where it is for chosen people, who may be
 * anywhere.
 */
export const keptLocal = (visibility: Visibility): Visibility => {
  const local = stayingHere(visibility);
  if (local) return local;
  throw invalid(
    `A post with the visibility "${visibility}" goes to the people for whom it is, and cannot stay on this server`,
  );
};

/** Throws Unprocessable where not everybody who will see it may favourite or boost it. */
export const checkLimits = (limits: Limits | undefined, visibility: Visibility): void => {
  const isForWorld = openTo("world", { visibility }) || openTo("here", { visibility });
  const [enough, boostsEnough] = isForWorld
    ? [["public"], ["public"]]
    : [["public", "followers", "mentioned"], null];
  const isMet = (groups: string[] | undefined, enoughOf: string[] | null): boolean =>
    !groups || !enoughOf || enoughOf.some((group) => groups.includes(group));
  if (!isMet(limits?.favourites, enough))
    throw invalid("Everybody who sees a post can favourite it here: can_favourite is narrower");
  // A post that is not for everybody is boosted by its author alone.
  if (!isMet(limits?.boosts, boostsEnough))
    throw invalid("Everybody who sees a post can boost it here: can_reblog is narrower");
};

const ONE_DEFAULT =
  "Who may reply by default is one choice for every visibility here, and whom a private mention names may always reply";

type Policies = Partial<Record<(typeof PRIVACIES)[number], AudienceInput["interaction_policy"]>>;

/**
 * Returns who may reply by default, for whom a policy for each visibility says it; everybody where none does. Throws
 * Unprocessable where these differ, or say what cannot be chosen here.
 */
export const defaultReplies = (policies: Policies): ReplyPolicy => {
  const chosen = new Set<ReplyPolicy>();
  for (const visibility of PRIVACIES) {
    const policy = policies[visibility];
    if (policy?.can_quote) throw notKnown("can_quote");
    const { reply_approval_policy: replies, limits } = withAudience<AudienceInput & Meant>({
      interaction_policy: policy,
    });
    checkLimits(limits, visibility);
    if (openToFollowers({ visibility }) && replies) chosen.add(replies);
    else if (replies === "nobody") throw invalid(ONE_DEFAULT);
  }
  if (chosen.size > 1) throw invalid(ONE_DEFAULT);
  return [...chosen][0] ?? "public";
};

/** Throws Unprocessable where a post that is to stay here would be sent elsewhere. */
export const checkStays = (localOnly: boolean | null | undefined, visibility: Visibility): void => {
  if (localOnly && federates({ visibility })) keptLocal(visibility);
};
