// Defines the one table of who may see a status by its own columns alone, which the rules (rules.ts), the SQL
// conditions (fragments.ts) and federation (mayFederate) ask.

import type { Key } from "../../../platform/text/texts.ts";
import type { Viewer } from "../../../platform/viewer.ts";

type Conditions = {
  /** Whether anybody may see it without signing in: on public pages, feeds, previews, and copies of those. */
  world: boolean;
  /** Whether everybody with an account on this server may see it. */
  here: boolean;
  /** Whether everybody on other servers may see it. */
  elsewhere: boolean;
  /** Whether it leaves this server: other servers get it, if it is for somebody there. */
  federated: boolean;
  /** Whether it is listed on timelines and tags, in trends and search, which are for the world. */
  listed: boolean;
  /** Whether the author's followers get it. */
  followers: boolean;
  /** Whether it is for people whom it need not mention, and replies to it are for the same people. */
  circle: boolean;
  /** Whether it is a private mention, which is in conversations and counted nowhere. */
  direct: boolean;
};

type Condition = keyof Conditions;

const NONE: Conditions = {
  world: false,
  here: false,
  elsewhere: false,
  federated: false,
  listed: false,
  followers: false,
  circle: false,
  direct: false,
};

/** `shownAs` is the value for apps: for a post that stays here, the nearest one. */
type Rule = Conditions & { shownAs: "public" | "unlisted" | "private" | "direct" };

/** Makes a row of the table: the conditions that hold. */
const rule = (shownAs: Rule["shownAs"], ...holding: Condition[]): Rule => ({
  ...NONE,
  ...Object.fromEntries(holding.map((condition) => [condition, true])),
  shownAs,
});

/** An audience as a whole; rules.ts decides about a single viewer. */
export type Audience = "world" | "here" | "elsewhere";

/**
 * Visibilities from the widest to the narrowest. In addition, the author and mentioned accounts may see a status of any
 * visibility, on other servers where it is federated. A new visibility is a row here, and a value of the column.
 */
const RULES = {
  public: rule("public", "world", "here", "elsewhere", "federated", "listed", "followers"),
  unlisted: rule("unlisted", "world", "here", "elsewhere", "federated", "followers"),
  /** For people here, who find it in the homes of followers, on its author's profile and by its address. */
  local: rule("unlisted", "here", "followers"),
  private: rule("private", "federated", "followers"),
  local_followers: rule("private", "followers"),
  /** For the members of the author's lists at that moment, who are silently in `mentions`. */
  circle: rule("private", "federated", "circle"),
  direct: rule("direct", "federated", "direct"),
};

export type Visibility = keyof typeof RULES;
export const VISIBILITIES = Object.keys(RULES) as Visibility[];

/** The columns that decide it, which every insert gives. Code that decides without a view needs all of them. */
export type VisibilityFacts = { visibility: Visibility };
export const VISIBILITY_COLUMNS = ["visibility"] as const satisfies (keyof VisibilityFacts)[];

const ruleOf = ({ visibility }: VisibilityFacts): Rule => RULES[visibility];

/** Returns the visibilities for which the rule holds, or does not. */
export const visibilitiesWith = (rule: Condition, holds = true): Visibility[] =>
  VISIBILITIES.filter((visibility) => RULES[visibility][rule] === holds);

/** Returns the audience that a viewer belongs to. */
export const audienceOf = (viewer: Viewer | null): Audience => {
  if (viewer === null || viewer.kind === "nobody") return "world";
  return viewer.kind === "person" ? "here" : "elsewhere";
};

/** Returns whether everybody of that audience may see the status, as far as its visibility decides. */
export const openTo = (audience: Audience, status: VisibilityFacts): boolean =>
  ruleOf(status)[audience];

/** Returns whether other servers may get the status, if it is for somebody there. */
export const federates = (status: VisibilityFacts): boolean => ruleOf(status).federated;

export const listedPublicly = (status: VisibilityFacts): boolean => ruleOf(status).listed;

export const openToFollowers = (status: VisibilityFacts): boolean => ruleOf(status).followers;

/** Returns whether the author chose who gets the status; these people do not learn of each other. */
export const isCircle = (status: VisibilityFacts): boolean => ruleOf(status).circle;

/** Returns whether the status is a private mention. */
export const isDirect = (status: VisibilityFacts): boolean => ruleOf(status).direct;

/**
 * Returns whether a status may be boosted. A boost can carry it anywhere, so that everybody may boost what the world
 * may see, and only the author what is for followers.
 */
export const openToReblogs = (status: VisibilityFacts, byAuthor: boolean): boolean =>
  openTo("world", status) || (openToFollowers(status) && byAuthor);

/** Returns the narrower of the two. */
export const narrower = (visibility: Visibility, other: Visibility): Visibility =>
  VISIBILITIES.indexOf(visibility) > VISIBILITIES.indexOf(other) ? visibility : other;

const REACH = ["world", "here", "elsewhere", "federated"] as const;

/**
 * Returns whether only chosen people get the status, wherever they are; who they may be is judged where they are
 * chosen.
 */
const isForChosen = (visibility: Visibility): boolean =>
  !RULES[visibility].here && !RULES[visibility].followers;

/**
 * Returns the widest visibility from `visibility` on that reaches nobody outside the audience of `shown`, for a post
 * that shows another.
 */
export const confinedTo = (shown: VisibilityFacts, visibility: Visibility): Visibility =>
  VISIBILITIES.slice(VISIBILITIES.indexOf(visibility)).find(
    (candidate) =>
      isForChosen(candidate) ||
      REACH.every((audience) => ruleOf(shown)[audience] || !RULES[candidate][audience]),
  )!;

/** Restricts a visibility to local people: replies to and quotes of a post that stays here stay here too. */
export const keptHere = (visibility: Visibility): Visibility =>
  confinedTo({ visibility: "local" }, visibility);

/**
 * Returns the nearest visibility with which it stays on this server; null where it is for chosen people, wherever they
 * are.
 */
export const stayingHere = (visibility: Visibility): Visibility | null => {
  if (!RULES[visibility].federated) return visibility;
  if (RULES[visibility].world) return "local";
  return RULES[visibility].followers ? "local_followers" : null;
};

/** Returns the members of the API. */
export const visibilityMembers = (status: VisibilityFacts) => ({
  visibility: ruleOf(status).shownAs,
  ...(!federates(status) && { local_only: true }),
  ...(isCircle(status) && { circle: true }),
});

/**
 * Returns the members of the API for what may be written again (a deleted post, one that waits): an app that knows only
 * four values must not make it public. `audience` has the exact value.
 */
export const rewrittenMembers = (status: VisibilityFacts) => ({
  ...visibilityMembers(status),
  ...(ruleOf(status).shownAs !== status.visibility && {
    visibility: "private" as const,
    audience: status.visibility,
  }),
});

/** Returns what hashtags depend on (tags/use.ts). */
export const taggedFor = (status: VisibilityFacts) => ({
  open: openTo("world", status),
  listed: listedPublicly(status),
});

/** Returns the facts of a remote status, of which only the addressing is known. */
export const remoteVisibilityFacts = (visibility: Visibility): VisibilityFacts => ({ visibility });

/** Returns the name for the staff. */
export const visibilityName = ({ visibility }: VisibilityFacts): Key =>
  `staff.visibility.${visibility}`;

/** Selects only these columns of a status. */
export const visibilityFacts = ({ visibility }: VisibilityFacts): VisibilityFacts => ({
  visibility,
});
