// Groups of commands that packages/administration declares. The help of the program lists them without the package,
// which is loaded once one of them is typed.

import type { Command } from "commander";

/** Descriptions by name, as the help has them before, between and after commands that stand alone. */
export const GROUPS = {
  staff: {
    accounts: "manage accounts",
    tokens: "manage access tokens",
    relays: "manage the relays that pass on public posts",
    sso: "manage the providers that people sign in by",
    settings: "manage server settings; changes take effect immediately",
    rules: "manage the server rules",
    terms: "manage the terms of service",
    announcements: "manage announcements for everyone on this server",
    emojis: "manage the server's own emojis; changes take effect immediately",
    reports: "see and resolve reports",
    groups: "groups of this server",
    roles: "manage the roles of the staff",
    audit: "the audit log of the staff",
    "domain-blocks": "block or limit other servers",
    "domain-lists": "subscribe to lists of servers to block that others keep",
    "spam-rules": "rules against spam",
    "held-posts": "posts that rules against spam held",
    "email-domain-blocks": "refuse sign-ups with addresses of mail providers",
    "canonical-email-blocks": "mail addresses, in any spelling, of people who were suspended",
    "ip-blocks": "block networks of clients",
  },
  media: {
    media: "manage stored pictures, videos and recordings",
  },
  upkeep: {
    domains: "manage what is known of other servers",
    statuses: "manage posts of other servers",
    "preview-cards": "manage the previews of links",
    feeds: "manage home and list timelines",
    cache: "manage what servers have in memory, and counts",
    search: "manage the search index",
  },
} as const;

export const addGroups = (root: Command, groups: Readonly<Record<string, string>>): void => {
  for (const [name, description] of Object.entries(groups))
    root.command(name).description(description);
};

/** Whether one of these words is a group: it may come after `help`. */
export const nameGroups = (words: readonly string[]): boolean =>
  Object.values(GROUPS).some((groups) => words.some((word) => Object.hasOwn(groups, word)));
