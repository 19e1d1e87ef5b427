// The names of a server: where the environment does not say them, and those that it had before it moved to another
// domain (docs/design/moving.md).

import type { Env } from "./parse.ts";
import { optional } from "./parse.ts";

export type SiteNames = { localDomain: string; webDomain: string; https: boolean };

/** `until`: when they were given up. What was made later never had an address under them. */
export type FormerNames = SiteNames & { origin: string; until: Date };

/** Names with the former ones. */
type Site = { localDomain: string; webDomain: string; origin: string; former: FormerNames[] };

/** Whatever is set stays; a contradiction is refused where the names are stored (db/site-names.ts). */
export const withNames = (env: Env, { localDomain, webDomain, https }: SiteNames): Env => {
  const names = { LOCAL_DOMAIN: localDomain, WEB_DOMAIN: webDomain, LOCAL_HTTPS: String(https) };
  const unset = Object.entries(names).filter(([name]) => optional(env, name) === null);
  return { ...env, ...Object.fromEntries(unset) };
};

/** The origin of every address of a server with these names. */
export const originWith = ({ webDomain, https }: Omit<SiteNames, "localDomain">): string =>
  `${https ? "https" : "http"}://${webDomain}`;

export const isPresentDomain = ({ localDomain, webDomain }: SiteNames, domain: string): boolean =>
  domain === localDomain || domain === webDomain;

/** The former names that a domain is of; null for the present ones and for others' domains. */
export const formerNamesOf = (
  { former, ...present }: Site & SiteNames,
  domain: string,
): FormerNames | null =>
  isPresentDomain(present, domain)
    ? null
    : (former.find((names) => isPresentDomain(names, domain)) ?? null);

/** Whether a domain, in lower case, is or was this server's. */
export const isOwnDomain = (site: Site & SiteNames, domain: string): boolean =>
  isPresentDomain(site, domain) || formerNamesOf(site, domain) !== null;

/** The domains that are or were this server's. */
export const ownDomains = ({ former, webDomain, localDomain }: Site): string[] => [
  ...new Set([webDomain, localDomain, ...former.flatMap((it) => [it.webDomain, it.localDomain])]),
];

/** An address below one origin as it is below another; any other text as it is. */
const moved = (text: string, from: string, to: string): string => {
  if (!text.startsWith(from)) return text;
  const next = text[from.length];
  return next === undefined || next === "/" ? to + text.slice(from.length) : text;
};

/** A copy of JSON with every text that is as a whole an address below `from` as one below `to`. */
const movedIn = (value: unknown, from: string, to: string): unknown => {
  if (typeof value === "string") return moved(value, from, to);
  if (Array.isArray(value)) return value.map((item) => movedIn(item, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, movedIn(member, from, to)]),
  );
};

type Origins = { origin: string; former: FormerNames[] };

/** JSON that others wrote, with the present addresses of this server in place of its former ones. */
export const withPresentNames = <T>({ origin, former }: Origins, json: T): T =>
  former.reduce((value, names) => movedIn(value, names.origin, origin) as T, json);

/** JSON of ours as it was under former names. */
export const withFormerNames = <T>(
  { origin }: Pick<Origins, "origin">,
  former: FormerNames,
  json: T,
): T => movedIn(json, origin, former.origin) as T;

/** An address of ours as somebody wrote it: the present one, or the same under a former name. */
export const asWritten = ({ origin, former }: Origins, uri: string, written: unknown): string =>
  former.map((names) => moved(uri, origin, names.origin)).find((old) => old === written) ?? uri;

/** What was at this address of ours at that time, under each of the names that the server has had since. */
export const formerAddresses = (
  { origin, former }: Origins,
  uri: string,
  madeAt: Date,
): { names: FormerNames; uri: string }[] =>
  former
    .filter(({ until }) => madeAt < until)
    .map((names) => ({ names, uri: moved(uri, origin, names.origin) }));
