// Defines the scopes that a token may have, and their descriptions. https://docs.joinmastodon.org/api/oauth-scopes/

import { covers } from "../../../platform/http/auth.ts";
import type { Key, Say, Texts } from "../../../platform/text/texts.ts";
import { listed } from "../../../../texts/lists.ts";

const under = (root: string, names: string): string[] => [
  root,
  ...names.split(" ").map((name) => `${root}:${name}`),
];

const ADMIN =
  "accounts canonical_email_blocks domain_allows domain_blocks email_domain_blocks ip_blocks reports";

/** Every scope, in the order of display. */
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
  "identities",
  "sharing",
  ...under("admin:read", ADMIN),
  ...under("admin:write", ADMIN),
];

const KNOWN = new Set(SCOPES);

export const DEFAULT_SCOPE = "read";

/** Reads `read write` as ["read", "write"], each once; returns null when one is unknown. */
export const parseScopes = (text: string): string[] | null => {
  const scopes = [...new Set(text.split(/\s+/).filter(Boolean))];
  return scopes.every((scope) => KNOWN.has(scope)) ? scopes : null;
};

/**
 * Returns the scopes granted to an app: those it names, all covered by those it registered with. Without any, it gets
 * `read`, or what it registered where that is less. Null means invalid_scope.
 */
export const grantScopes = (registered: string[], requested: string): string[] | null => {
  const scopes = parseScopes(requested);
  if (!scopes) return null;
  if (scopes.length === 0) return covers(registered, DEFAULT_SCOPE) ? [DEFAULT_SCOPE] : registered;
  return scopes.every((scope) => covers(registered, scope)) ? scopes : null;
};

/** The name of what a scope of a single thing is about, in the catalogue. */
type Thing =
  Extract<Key, `scope.thing.${string}`> extends `scope.thing.${infer Name}` ? Name : never;

/** `text` may be empty. */
type ScopeWords = { title: string; text: string };

const WHOLE: Record<string, { title: Key; text?: Key }> = {
  profile: { title: "scope.profile", text: "scope.profile_text" },
  read: { title: "scope.read", text: "scope.read_text" },
  write: { title: "scope.write", text: "scope.write_text" },
  follow: { title: "scope.follow" },
  push: { title: "scope.push", text: "scope.push_text" },
  crypto: { title: "scope.crypto", text: "scope.crypto_text" },
  identities: { title: "scope.identities", text: "scope.identities_text" },
  sharing: { title: "scope.sharing", text: "scope.sharing_text" },
  "admin:read": { title: "scope.admin_read", text: "scope.admin_read_text" },
  "admin:write": { title: "scope.admin_write", text: "scope.admin_write_text" },
};

/** Groups of scopes of single things; each group is one entry for any number of them. */
const GROUPS: { prefix: string; title: Key; single: Key }[] = [
  { prefix: "read:", title: "scope.read_some", single: "scope.read_one" },
  { prefix: "write:", title: "scope.write_some", single: "scope.write_one" },
  { prefix: "admin:read:", title: "scope.admin_read_some", single: "scope.admin_read_one" },
  { prefix: "admin:write:", title: "scope.admin_write_some", single: "scope.admin_write_one" },
];

const thingOf = (t: Say, scope: string): string =>
  t(`scope.thing.${scope.slice(scope.lastIndexOf(":") + 1) as Thing}`);

const listedThings = (language: string, things: string[]): string => {
  const text = listed(language, things);
  return `${text.charAt(0).toLocaleUpperCase(language)}${text.slice(1)}`;
};

const describeGroups = ({ t, language }: Texts, scopes: string[]): ScopeWords[] =>
  GROUPS.flatMap(({ prefix, title, single }) => {
    const ofGroup = scopes.filter((scope) => scope.startsWith(prefix));
    const things = ofGroup.map((scope) => thingOf(t, scope));
    if (things.length === 0) return [];
    if (things.length === 1) return [{ title: t(single, { thing: things[0]! }), text: "" }];
    return [{ title: t(title), text: listedThings(language, things) }];
  });

const describeWhole = (t: Say, scope: string): ScopeWords[] => {
  const words = WHOLE[scope];
  return words ? [{ title: t(words.title), text: words.text ? t(words.text) : "" }] : [];
};

/** Returns what the pages say of scopes: those of single things together, then each whole one. */
export const describeScopes = (texts: Texts, scopes: string[]): ScopeWords[] => [
  ...describeGroups(
    texts,
    scopes.filter((scope) => !WHOLE[scope]),
  ),
  ...scopes.flatMap((scope) => describeWhole(texts.t, scope)),
];

/** The scopes of our own web client. */
export const CLIENT_SCOPES = ["read", "write", "follow", "push"];
