// How much of each there may be (docs/LIMITS.md).

/** Groups of one owner, and such that one person moderates. */
export const MAX_OWNED = 10;
export const MAX_MODERATED = 50;
/** Of one group. */
export const MAX_MODERATORS = 20;
export const MAX_RULES = 10;
export const MAX_RULE_LENGTH = 500;
/** Posts of one member that a group takes within a day. */
export const MAX_POSTS_PER_DAY = 20;
/** Answers of one member in a group's threads of which other servers are told within a day. */
export const MAX_ANSWERS_PER_DAY = 100;
/** Requests and held posts are counted so far. */
export const MAX_COUNTED = 100;
