// The version of Rookery, and of the Mastodon API that it implements.

import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

/**
 * Clients parse X.Y.Z of the version, several of them as semver, which throws where text follows it after a space: our
 * own version is build metadata (https://semver.org/#spec-item-10), which has a `+` only before it.
 */
const API_VERSION = "4.6.0";
export const VERSION_TEXT = `${API_VERSION}+rookery.${VERSION.replaceAll("+", ".")}`;

/**
 * `api_versions.mastodon`: clients enable features by it, so it is the highest level that is implemented completely,
 * with all below it: 4 (Mastodon 4.4) deletes media, alone and with a post, 5 blurs by filters, 7 (4.5) is quotes, 8 to
 * 10 (4.6) are profiles, annual reports, descriptions of avatars, collections and fallbacks of notifications.
 * https://docs.joinmastodon.org/entities/Instance/#api-versions
 */
export const API_LEVEL = 10;

/** `api_versions.rookery`: counts what this server adds to that API (docs/API-EXTENSIONS.md). */
export const OWN_API_LEVEL = 14;

/** `configuration.rookery`: what this server adds, each by a name of its own, so that apps can look for it. */
export const EXTENSIONS = {
  /** Who may answer a post is chosen by its author. */
  reply_policies: true,
  /** Searches for posts by more operators, in other forms of the words, in the order of `sort`. */
  search_operators: true,
  /** People by what they write about themselves. */
  search_bios: true,
  /** Searches that a person keeps. */
  saved_searches: true,
  /** Keywords of filters in which `*` stands for any letters. */
  filter_wildcards: true,
  /** Posts for people of this server. */
  local_posts: true,
  /** Posts for people of one's lists. */
  circles: true,
  /** Hours in which nothing is sent about notifications. */
  quiet_hours: true,
  /** Why a post is in one's home. */
  home_reasons: true,
  /** Reactions to posts with emojis. */
  emoji_reactions: true,
  /** Boosts at a time of their own. */
  scheduled_boosts: true,
  /** Drafts, for all apps of a person. */
  drafts: true,
  /** Threads that are posted as one. */
  threads: true,
  /** Posts that end. */
  expiring_posts: true,
  /** Posts that are an event, which people answer. */
  events: true,
  /** Accounts that boost what their members send them. */
  groups: true,
  /** Accounts of a person that are linked with each other. */
  identities: true,
  /** Hashtags whose posts and threads are left out of one's home. */
  muted_tags: true,
  /** Posts in Markdown. */
  markdown: true,
  /** Of people who are followed: without their replies, or so many posts of a day. */
  follow_options: true,
  /** Longer posts of people with some roles. */
  role_characters: true,
  /** Accounts that several people use. */
  shared_accounts: true,
} as const;

/** Where the source code is published; null while package.json has no homepage. */
export const SOURCE_URL: string | null = (manifest as { homepage?: string }).homepage ?? null;
