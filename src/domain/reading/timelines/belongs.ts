// Defines once which statuses belong in a home and in a list, for feeds that are pushed to and for those that are
// rebuilt. The facts about a status and its reader come from caches (readers.ts) or from rows (fragments.ts).

export type Fact =
  /** The reader wrote it. */
  | "own"
  /** The reader follows its author; in a list: the author is a member, and followed or the reader. */
  | "followed"
  /** The reader follows one of its tags. */
  | "tagFollowed"
  /** The reader mutes a tag of it, of what it boosts, or of what that replies to. */
  | "tagMuted"
  /** The reader has its author in an exclusive list. */
  | "exclusive"
  /** Followers may see it. */
  | "open"
  /** It mentions the reader, perhaps silently. */
  | "named"
  /** It is for people whom its author chose. */
  | "circle"
  /** It is on public timelines. */
  | "listed"
  /** Its author is neither limited nor suspended. */
  | "inGoodStanding"
  | "boost"
  /**
   * The reader wants boosts by its author. A reader who mutes the author gets none, since they would repeat what others
   * boost.
   */
  | "boostsWanted"
  /** The reader wants its language from its author. */
  | "languageWanted"
  /** It is a reply to somebody else. */
  | "reply"
  /** It is a reply to the reader, or to somebody they follow; in a list to whom its policy names. */
  | "replyWanted"
  /** The reader wants the author's replies to others. */
  | "repliesShown"
  /** The reader has no daily limit for the author, or earlier posts of the day did not reach it. */
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

/** Among posts for named people lists contain those of circles that include the reader, or are the reader's. */
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

/** Returns what is left of a rule when some facts are known. */
export const assume = (rule: Rule, known: Known): Rule => {
  if (typeof rule === "boolean") return rule;
  if (typeof rule === "string") return known[rule] ?? rule;
  if ("not" in rule) return known[rule.not] === undefined ? rule : !known[rule.not];
  const isAll = "all" in rule;
  const left: Rule[] = [];
  for (const part of isAll ? rule.all : rule.any) {
    const rest = assume(part, known);
    if (rest === !isAll) return rest;
    if (rest !== isAll) left.push(rest);
  }
  if (left.length < 2) return left[0] ?? isAll;
  return isAll ? { all: left } : { any: left };
};
