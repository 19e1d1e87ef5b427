// Bounds groups and their parts (docs/LIMITS.md).

/** Groups that one person may own, and that one person may moderate. */
export const MAX_OWNED = 10;
export const MAX_MODERATED = 50;
/** Moderators and rules of one group. */
export const MAX_MODERATORS = 20;
export const MAX_RULES = 10;
export const MAX_RULE_LENGTH = 500;
/** Posts of one member that a group takes within a day. */
export const MAX_POSTS_PER_DAY = 20;
/** Answers of one member in a group's threads that are announced within a day. */
export const MAX_ANSWERS_PER_DAY = 100;
/** Requests and held posts that are counted. */
export const MAX_COUNTED = 100;
