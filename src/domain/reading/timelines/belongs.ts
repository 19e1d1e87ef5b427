// Which statuses belong in a home and in a list: said once, for feeds that are pushed to and for those that are
// rebuilt. What these rules ask of a status and its reader, facts, is read from caches (readers.ts) or from rows
// (fragments.ts).

export type Fact =
  /** The reader wrote it. */
  | "own"
  /** Who wrote it is followed by the reader; in a list: is a member, and followed or the reader. */
  | "followed"
  /** One of its tags is. */
  | "tagFollowed"
  /** The reader mutes a tag of it, of what it boosts, or of what that answers. */
  | "tagMuted"
  /** The reader has who wrote it in an exclusive list. */
  | "exclusive"
  /** Followers may see it. */
  | "open"
  /** It mentions the reader, in silence too. */
  | "named"
  /** It is for people whom its author chose. */
  | "circle"
  /** It is on public timelines. */
  | "listed"
  /** Who wrote it is neither limited nor suspended. */
  | "inGoodStanding"
  | "boost"
  /** The reader wants boosts of theirs. One who mutes them gets none: they would repeat what others boost. */
  | "boostsWanted"
  /** The reader wants its language of them. */
  | "languageWanted"
  /** It is a reply to somebody else. */
  | "reply"
  /** A reply to the reader, or to those whose answers the reader wants. */
  | "replyWanted"
  /** The reader wants what they answer to others. */
  | "repliesShown"
  /** The reader has no limit for them, or it is not reached by what they posted before on the same day. */
  | "withinLimit";

export type Rule = boolean | Fact | { all: Rule[] } | { any: Rule[] } | { not: Fact };

const WANTED: Rule = {
  all: [
    { any: [{ not: "boost" }, "boostsWanted"] },
    "languageWanted",
    { any: [{ not: "reply" }, { all: ["replyWanted", "repliesShown"] }] },
    "withinLimit",
  ],
};

const BY_TAG: Rule = { all: ["tagFollowed", "listed", { not: "boost" }, "inGoodStanding"] };

export const IN_HOME: Rule = {
  any: [
    "own",
    {
      all: [
        { not: "exclusive" },
        { not: "tagMuted" },
        { any: [{ all: ["followed", { any: ["open", "named"] }, WANTED] }, BY_TAG] },
      ],
    },
  ],
};

/** Of what is for named people lists have that of circles, which the reader is in, or chose. */
export const IN_LIST: Rule = {
  all: ["followed", { any: ["open", { all: ["circle", { any: ["named", "own"] }] }] }, WANTED],
};

export const holds = (rule: Rule, is: (fact: Fact) => boolean): boolean => {
  if (typeof rule === "boolean") return rule;
  if (typeof rule === "string") return is(rule);
  if ("not" in rule) return !is(rule.not);
  const isOne = (part: Rule): boolean => holds(part, is);
  return "all" in rule ? rule.all.every(isOne) : rule.any.some(isOne);
};

export type Known = Partial<Record<Fact, boolean>>;

/** What is left of a rule when so much is known. */
export const assume = (rule: Rule, known: Known): Rule => {
  if (typeof rule === "boolean") return rule;
  if (typeof rule === "string") return known[rule] ?? rule;
  if ("not" in rule) return known[rule.not] === undefined ? rule : !known[rule.not];
  const isAll = "all" in rule;
  const left = (isAll ? rule.all : rule.any)
    .map((part) => assume(part, known))
    .filter((part) => part !== isAll);
  if (left.length === 0 || left.includes(!isAll)) return left.length === 0 ? isAll : !isAll;
  if (left.length === 1) return left[0]!;
  return isAll ? { all: left } : { any: left };
};
