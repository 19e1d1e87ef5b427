// Who may see a status, by its own columns alone: the one table behind the rules (rules.ts), the
// SQL conditions (fragments.ts) and what is federated (mayFederate).

import type { Key } from "../../../platform/text/texts.ts";
import type { Viewer } from "../../../platform/viewer.ts";

type Rule = {
  /** As the staff reads it. */
  name: Key;
  /** As apps know it: of a post that stays here, what is nearest for whom it is. */
  shownAs: "public" | "unlisted" | "private" | "direct";
  /** Anybody may see it, without signing in: public pages, feeds, previews, whatever it is copied to. */
  world: boolean;
  /** Everybody with an account on this server may see it. */
  here: boolean;
  /** Everybody on other servers may see it. */
  elsewhere: boolean;
  /** It leaves this server at all: other servers get it, as far as it is for people there. */
  federated: boolean;
  /** It is listed: on timelines and tags, in trends and search. These are the world's lists. */
  listed: boolean;
  /** The author's followers get it. */
  followers: boolean;
  /** It is for people whom it need not name, and what answers it is for the same ones. */
  circle: boolean;
  /** It is a private mention: in conversations, and counted nowhere. */
  direct: boolean;
};

/** Each audience that is named, as a whole; who one viewer is decides rules.ts. */
export type Audience = "world" | "here" | "elsewhere";

/**
 * From the widest to the narrowest. Besides, the author and mentioned accounts may see a status of any visibility, on
 * other servers where it is federated. A new visibility is a row here, and a value of the column.
 */
const RULES = {
  public: {
    name: "staff.visibility.public",
    shownAs: "public",
    world: true,
    here: true,
    elsewhere: true,
    federated: true,
    listed: true,
    followers: true,
    circle: false,
    direct: false,
  },
  unlisted: {
    name: "staff.visibility.unlisted",
    shownAs: "unlisted",
    world: true,
    here: true,
    elsewhere: true,
    federated: true,
    listed: false,
    followers: true,
    circle: false,
    direct: false,
  },
  /** For people here, who find it in the homes of followers, on its author's profile and by its address. */
  local: {
    name: "staff.visibility.local",
    shownAs: "unlisted",
    world: false,
    here: true,
    elsewhere: false,
    federated: false,
    listed: false,
    followers: true,
    circle: false,
    direct: false,
  },
  private: {
    name: "staff.visibility.private",
    shownAs: "private",
    world: false,
    here: false,
    elsewhere: false,
    federated: true,
    listed: false,
    followers: true,
    circle: false,
    direct: false,
  },
  local_followers: {
    name: "staff.visibility.local_followers",
    shownAs: "private",
    world: false,
    here: false,
    elsewhere: false,
    federated: false,
    listed: false,
    followers: true,
    circle: false,
    direct: false,
  },
  /** For whom its author's lists name at that moment: they are in `mentions`, in silence. */
  circle: {
    name: "staff.visibility.circle",
    shownAs: "private",
    world: false,
    here: false,
    elsewhere: false,
    federated: true,
    listed: false,
    followers: false,
    circle: true,
    direct: false,
  },
  direct: {
    name: "staff.visibility.direct",
    shownAs: "direct",
    world: false,
    here: false,
    elsewhere: false,
    federated: true,
    listed: false,
    followers: false,
    circle: false,
    direct: true,
  },
} satisfies Record<string, Rule>;

export type Visibility = keyof typeof RULES;
export const VISIBILITIES = Object.keys(RULES) as Visibility[];

/** The columns that decide it, which every insert gives. Code that decides without a view needs all of them. */
export type VisibilityFacts = { visibility: Visibility };
export const VISIBILITY_COLUMNS = ["visibility"] as const satisfies (keyof VisibilityFacts)[];

type Condition = Exclude<keyof Rule, "name" | "shownAs">;
const ruleOf = ({ visibility }: VisibilityFacts): Rule => RULES[visibility];

/** The visibilities for which the rule holds, or does not. */
export const visibilitiesWith = (rule: Condition, holds = true): Visibility[] =>
  VISIBILITIES.filter((visibility) => RULES[visibility][rule] === holds);

/** Whose audience a viewer is in. */
export const audienceOf = (viewer: Viewer | null): Audience => {
  if (viewer === null || viewer.kind === "nobody") return "world";
  return viewer.kind === "person" ? "here" : "elsewhere";
};

/** Everybody of that audience may see it, as far as its visibility goes. */
export const openTo = (audience: Audience, status: VisibilityFacts): boolean =>
  ruleOf(status)[audience];

/** Other servers may get it, those with somebody for whom it is. */
export const federates = (status: VisibilityFacts): boolean => ruleOf(status).federated;

export const listedPublicly = (status: VisibilityFacts): boolean => ruleOf(status).listed;

export const openToFollowers = (status: VisibilityFacts): boolean => ruleOf(status).followers;

/** Its author chose its people, who do not learn of each other. */
export const isCircle = (status: VisibilityFacts): boolean => ruleOf(status).circle;

/** It is a private mention. */
export const isDirect = (status: VisibilityFacts): boolean => ruleOf(status).direct;

/**
 * A boost can carry it anywhere: so what the world may see is boosted by everybody, what is for followers by its
 * author.
 */
export const openToReblogs = (status: VisibilityFacts, byAuthor: boolean): boolean =>
  openTo("world", status) || (openToFollowers(status) && byAuthor);

/** The narrower of the two. */
export const narrower = (visibility: Visibility, other: Visibility): Visibility =>
  VISIBILITIES.indexOf(visibility) > VISIBILITIES.indexOf(other) ? visibility : other;

const REACH = ["world", "here", "elsewhere", "federated"] as const;

/** Only chosen people get it, wherever they are: who may be among them is judged where they are chosen. */
const isForChosen = (visibility: Visibility): boolean =>
  !RULES[visibility].here && !RULES[visibility].followers;

/**
 * The widest from `visibility` on that reaches nobody whom `shown` does not: of what shows another post to whoever
 * sees it.
 */
export const confinedTo = (shown: VisibilityFacts, visibility: Visibility): Visibility =>
  VISIBILITIES.slice(VISIBILITIES.indexOf(visibility)).find(
    (candidate) =>
      isForChosen(candidate) ||
      REACH.every((audience) => ruleOf(shown)[audience] || !RULES[candidate][audience]),
  )!;

/** The same for people here alone: what answers or quotes a post that stays here stays here too. */
export const keptHere = (visibility: Visibility): Visibility =>
  confinedTo({ visibility: "local" }, visibility);

/** The nearest one with which it stays on this server; null: it is for chosen people, wherever they are. */
export const stayingHere = (visibility: Visibility): Visibility | null => {
  if (!RULES[visibility].federated) return visibility;
  if (RULES[visibility].world) return "local";
  return RULES[visibility].followers ? "local_followers" : null;
};

/** As the API answers it. */
export const visibilityMembers = (status: VisibilityFacts) => ({
  visibility: ruleOf(status).shownAs,
  ...(!federates(status) && { local_only: true }),
  ...(isCircle(status) && { circle: true }),
});

/**
 * As the API answers it of what may be written again (a deleted post, one that waits): in an app that knows the four
 * words alone it must not become one for the world. `audience`: the word that says it exactly.
 */
export const rewrittenMembers = (status: VisibilityFacts) => ({
  ...visibilityMembers(status),
  ...(ruleOf(status).shownAs !== status.visibility && {
    visibility: "private" as const,
    audience: status.visibility,
  }),
});

/** What hashtags need to know of it (tags/use.ts). */
export const taggedFor = (status: VisibilityFacts) => ({
  open: openTo("world", status),
  listed: listedPublicly(status),
});

/** Of a remote status: its addressing is all that is known. */
export const remoteVisibilityFacts = (visibility: Visibility): VisibilityFacts => ({ visibility });

/** As the staff reads it. */
export const visibilityName = (status: VisibilityFacts): Key => ruleOf(status).name;

/** Only these columns of a status. */
export const visibilityFacts = ({ visibility }: VisibilityFacts): VisibilityFacts => ({
  visibility,
});
