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
  canonical_email_blocks: "blocked email addresses",
  domain_allows: "allowed servers",
  domain_blocks: "blocked servers",
  email_domain_blocks: "blocked email providers",
  ip_blocks: "blocked IP addresses",
};

/** `text` may be empty. */
export type ScopeWords = { title: string; text: string };

const WHOLE: Record<string, ScopeWords> = {
  profile: { title: "See who you are", text: "Your name and avatar, nothing else" },
  read: {
    title: "Read all your account's data",
    text: "Including private posts and notifications",
  },
  write: {
    title: "Post and make changes as you",
    text: "Including favourites, media and your profile",
  },
  follow: {
    title: "Follow, mute and block for you",
    text: "",
  },
  push: { title: "Send you push notifications", text: "Even while the app is closed" },
  crypto: {
    title: "Use end-to-end encryption",
    text: "Manage the keys and messages of your devices",
  },
  "admin:read": {
    title: "Read all administration data",
    text: "Including private data of everyone on this server",
  },
  "admin:write": {
    title: "Administer this server",
    text: "Change and delete the data of everyone on this server",
  },
};

/** Scopes of single things, each as one entry however many they are. */
const GROUPS: { prefix: string; title: string; one: (thing: string) => string }[] = [
  { prefix: "read:", title: "See some of your data", one: (thing) => `See your ${thing}` },
  { prefix: "write:", title: "Make some changes as you", one: (thing) => `Change your ${thing}` },
  {
    prefix: "admin:read:",
    title: "See some administration data",
    one: (thing) => `Administration: see ${thing}`,
  },
  {
    prefix: "admin:write:",
    title: "Administer parts of this server",
    one: (thing) => `Administration: change ${thing}`,
  },
];

const thingOf = (scope: string): string => THINGS[scope.slice(scope.lastIndexOf(":") + 1)] ?? scope;

const describeGroups = (scopes: string[]): ScopeWords[] =>
  GROUPS.flatMap(({ prefix, title, one }) => {
    const things = scopes.filter((scope) => scope.startsWith(prefix)).map(thingOf);
    if (things.length === 0) return [];
    if (things.length === 1) return [{ title: one(things[0]!), text: "" }];
    return [{ title, text: sentence(things) }];
  });

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

const sentence = (things: string[]): string => {
  const text = LIST.format(things);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

/** What the pages say of scopes: those of single things together, then each whole one. */
export const describeScopes = (scopes: string[]): ScopeWords[] => [
  ...describeGroups(scopes.filter((scope) => !WHOLE[scope])),
  ...scopes.flatMap((scope) => WHOLE[scope] ?? []),
];

/** What our own web client may do. */
export const CLIENT_SCOPES = ["read", "write", "follow", "push"];
