// What the commands do, by what they are about.

export * as accounts from "./accounts.ts";
export * as announcements from "./announcements.ts";
export * as blocklists from "./blocklists.ts";
export * as domainLists from "./domain-lists.ts";
export * as emojis from "./emojis.ts";
export * as groups from "./groups.ts";
export * as moderation from "./moderation.ts";
export * as peers from "./peers.ts";
export * as relays from "./relays.ts";
export * as roles from "./roles.ts";
export * as rules from "./rules.ts";
export * as settings from "./settings.ts";
export * as spam from "./spam.ts";
export * as sso from "./sso.ts";
export * as terms from "./terms.ts";
export * as tokens from "./tokens.ts";
export * as upkeep from "./upkeep/index.ts";
