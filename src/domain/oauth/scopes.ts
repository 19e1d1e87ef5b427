// The scopes that a token may have, and their descriptions.
// https://docs.joinmastodon.org/api/oauth-scopes/

import { covers } from "../../platform/http/auth.ts";

const under = (root: string, names: string): string[] => [
  root,
  ...names.split(" ").map((name) => `${root}:${name}`),
];

const ADMIN =
  "accounts canonical_email_blocks domain_allows domain_blocks email_domain_blocks ip_blocks reports";

/** Every scope, in the order in which they are listed. */
export const SCOPES: string[] = [
  "profile",
  ...under(
    "read",
    "accounts blocks bookmarks collections favourites filters follows lists mutes notifications search statuses",
  ),
  ...under(
    "write",
    "accounts blocks bookmarks collections conversations favourites filters follows lists media mutes notifications reports statuses",
  ),
  "follow",
  "push",
  "crypto",
  ...under("admin:read", ADMIN),
  ...under("admin:write", ADMIN),
];

const KNOWN = new Set(SCOPES);

export const DEFAULT_SCOPE = "read";

/** `read write` → ["read", "write"], each once; null when one is unknown. */
export const parseScopes = (text: string): string[] | null => {
  const scopes = [...new Set(text.split(/\s+/).filter(Boolean))];
  return scopes.every((scope) => KNOWN.has(scope)) ? scopes : null;
};

/**
 * The scopes granted to an app: those it names, all covered by those it registered with; without any,
 * `read`, or what it registered where that is less. null: invalid_scope.
 */
export const grantScopes = (registered: string[], wanted: string): string[] | null => {
  const scopes = parseScopes(wanted);
  if (!scopes) return null;
  if (scopes.length === 0) return covers(registered, DEFAULT_SCOPE) ? [DEFAULT_SCOPE] : registered;
  return scopes.every((scope) => covers(registered, scope)) ? scopes : null;
};

const THINGS: Record<string, string> = {
  accounts: "accounts and profiles",
  blocks: "blocks",
  bookmarks: "bookmarks",
  collections: "collections",
  conversations: "conversations",
  favourites: "favourites",
  filters: "filters",
  follows: "follows",
  lists: "lists",
  media: "media files",
  mutes: "mutes",
  notifications: "notifications",
  reports: "reports",
  search: "search results",
  statuses: "posts",
  canonical_email_blocks: "blocked e-mail addresses",
  domain_allows: "allowed servers",
  domain_blocks: "blocked servers",
  email_domain_blocks: "blocked e-mail providers",
  ip_blocks: "blocked IP addresses",
};

export type ScopeWords = { title: string; text: string };

const WHOLE: Record<string, ScopeWords> = {
  profile: { title: "Know who you are", text: "Your name and picture, nothing else" },
  read: {
    title: "Read everything",
    text: "Posts, private ones too, notifications, lists and settings",
  },
  write: {
    title: "Act in your name",
    text: "Post, delete, favourite, upload and change your profile",
  },
  follow: { title: "Manage your relations", text: "Follow, mute and block for you" },
  push: { title: "Send you push notifications", text: "Also while the app is closed" },
  crypto: { title: "Use end-to-end encryption", text: "Keys and messages of your devices" },
  "admin:read": { title: "Read all administration data", text: "Private data of all people here" },
  "admin:write": {
    title: "Administer this server",
    text: "Change and delete data of all people here",
  },
};

/** The description of a scope on the consent page. */
export const describeScope = (scope: string): ScopeWords => {
  const whole = WHOLE[scope];
  if (whole) return whole;
  const thing = THINGS[scope.slice(scope.lastIndexOf(":") + 1)] ?? scope;
  if (scope.startsWith("admin:read:"))
    return { title: `Administration: see ${thing}`, text: scope };
  if (scope.startsWith("admin:write:"))
    return { title: `Administration: change ${thing}`, text: scope };
  return { title: `${scope.startsWith("write:") ? "Change" : "See"} your ${thing}`, text: scope };
};
