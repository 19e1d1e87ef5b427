// Who may see a status, by its own columns alone: the one table behind the rules (rules.ts), the
// SQL conditions (fragments.ts) and what is federated (mayFederate).

import { VISIBILITIES } from "./tables.ts";
import type { StatusColumns, Visibility } from "./tables.ts";

/** The columns that decide it. Code that decides without a view needs all of them. */
export const VISIBILITY_COLUMNS = ["visibility"] as const satisfies (keyof StatusColumns)[];
export type VisibilityFacts = Pick<StatusColumns, (typeof VISIBILITY_COLUMNS)[number]>;

type Rule = {
  /** Everybody who has its address may see it. */
  everybody: boolean;
  /** It is listed: on timelines and tags, in trends and search. */
  listed: boolean;
  /** The author's followers get it. */
  followers: boolean;
};

/** Besides, the author and mentioned accounts may see a status of any visibility. */
const RULES: Record<Visibility, Rule> = {
  public: { everybody: true, listed: true, followers: true },
  unlisted: { everybody: true, listed: false, followers: true },
  private: { everybody: false, listed: false, followers: true },
  direct: { everybody: false, listed: false, followers: false },
};

/** The visibilities for which the rule holds, or does not. */
export const visibilitiesWith = (rule: keyof Rule, holds = true): Visibility[] =>
  VISIBILITIES.filter((visibility) => RULES[visibility][rule] === holds);

export const openToEverybody = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].everybody;

export const listedPublicly = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].listed;

export const openToFollowers = ({ visibility }: VisibilityFacts): boolean =>
  RULES[visibility].followers;

/** Who may see it may reblog it too, a followers-only post its author alone. */
export const openToReblogs = (status: VisibilityFacts, byAuthor: boolean): boolean =>
  openToEverybody(status) || (openToFollowers(status) && byAuthor);

/** What hashtags need to know of it (tags/use.ts). */
export const taggedFor = (status: VisibilityFacts) => ({
  open: openToEverybody(status),
  listed: listedPublicly(status),
});

/** Of a remote status: its addressing is all that is known. */
export const remoteVisibilityFacts = (visibility: Visibility): VisibilityFacts => ({ visibility });

/** Only these columns of a status. */
export const visibilityFacts = ({ visibility }: VisibilityFacts): VisibilityFacts => ({
  visibility,
});
