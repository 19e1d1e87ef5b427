// Whom a status is for, by what is stored of it alone: the one table behind the rules (rules.ts), the
// SQL conditions (fragments.ts) and what leaves the server (mayFederate).

import { VISIBILITIES } from "./columns.ts";
import type { StatusColumns, Visibility } from "./columns.ts";

/** The columns that decide it. Whatever judges a status without its view carries all of them. */
export const VISIBILITY_COLUMNS = ["visibility"] as const satisfies (keyof StatusColumns)[];
export type VisibilityFacts = Pick<StatusColumns, (typeof VISIBILITY_COLUMNS)[number]>;

type Rule = {
  /** Everybody who has its address may see it. */
  everybody: boolean;
  /** It is also shown to who did not ask for it: timelines, tags, trends, search. */
  listed: boolean;
  /** The author's followers get it. */
  followers: boolean;
};

/** The author and who is mentioned may see each of them. */
const RULES: Record<Visibility, Rule> = {
  public: { everybody: true, listed: true, followers: true },
  unlisted: { everybody: true, listed: false, followers: true },
  private: { everybody: false, listed: false, followers: true },
  direct: { everybody: false, listed: false, followers: false },
};

/** The visibilities for which the rule holds. */
export const visibilitiesWith = (rule: keyof Rule): Visibility[] =>
  VISIBILITIES.filter((visibility) => RULES[visibility][rule]);

export const openToEverybody = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].everybody;

export const listedPublicly = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].listed;

export const openToFollowers = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].followers;

/** Who sees it may reblog it too: what not everybody may see its author alone. */
export const openToReblogs = (status: VisibilityFacts, byAuthor: boolean): boolean =>
  openToEverybody(status) || (openToFollowers(status) && byAuthor);

/** As far as hashtags are concerned (tags/use.ts). */
export const taggedFor = (status: VisibilityFacts) => ({
  open: openToEverybody(status),
  listed: listedPublicly(status),
});

/** Of what comes from elsewhere: whom it is addressed to is all that is said. */
export const remoteVisibilityFacts = (visibility: Visibility): VisibilityFacts => ({ visibility });

/** These facts of a status alone. */
export const visibilityFacts = ({ visibility }: VisibilityFacts): VisibilityFacts => ({
  visibility,
});
