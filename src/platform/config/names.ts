// The domain names of a server: the stored ones where the environment does not set them, and those it had before it
// moved to another domain (docs/design/moving.md).

import type { Env } from "./parse.ts";
import { optional } from "./parse.ts";

export type SiteNames = { localDomain: string; webDomain: string; https: boolean };

/** `until`: when the names were given up. Nothing made later has an address under them. */
export type FormerNames = SiteNames & { origin: string; until: Date };

/** The present names with the former ones. */
type Site = { localDomain: string; webDomain: string; origin: string; former: FormerNames[] };

/**
 * Fills in names that are not set; one that contradicts them is refused where the names are stored (db/site-names.ts).
 */
export const withNames = (env: Env, { localDomain, webDomain, https }: SiteNames): Env => {
  const names = { LOCAL_DOMAIN: localDomain, WEB_DOMAIN: webDomain, LOCAL_HTTPS: String(https) };
  const unset = Object.entries(names).filter(([name]) => optional(env, name) === null);
  return { ...env, ...Object.fromEntries(unset) };
};

/** Returns the origin of every address of a server with these names. */
export const originWith = ({ webDomain, https }: Omit<SiteNames, "localDomain">): string =>
  `${https ? "https" : "http"}://${webDomain}`;

export const isPresentDomain = ({ localDomain, webDomain }: SiteNames, domain: string): boolean =>
  domain === localDomain || domain === webDomain;

/** Returns the former names that a domain belongs to; null for the present domains and for others'. */
export const formerNamesOf = ({ former, ...present }: Site & SiteNames, domain: string) =>
  isPresentDomain(present, domain)
    ? null
    : (former.find((names) => isPresentDomain(names, domain)) ?? null);

/** Whether a domain (in lower case) is or was this server's. */
export const isOwnDomain = (site: Site & SiteNames, domain: string): boolean =>
  isPresentDomain(site, domain) || formerNamesOf(site, domain) !== null;

/** Lists the domains that are or were this server's. */
export const ownDomains = ({ former, webDomain, localDomain }: Site): string[] => [
  ...new Set([webDomain, localDomain, ...former.flatMap((it) => [it.webDomain, it.localDomain])]),
];

/** Moves an address from one origin to another; returns any other text unchanged. */
const moved = (text: string, from: string, to: string): string => {
  if (!text.startsWith(from)) return text;
  const next = text[from.length];
  return next === undefined || next === "/" ? to + text.slice(from.length) : text;
};

/** Copies JSON and moves every string that as a whole is an address below `from`. */
const movedIn = (value: unknown, from: string, to: string): unknown => {
  if (typeof value === "string") return moved(value, from, to);
  if (Array.isArray(value)) return value.map((item) => movedIn(item, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, movedIn(member, from, to)]),
  );
};

type Origins = { origin: string; former: FormerNames[] };

/** Replaces addresses under former names of this server by present ones, in JSON from others. */
export const withPresentNames = <T>({ origin, former }: Origins, json: T): T =>
  former.reduce((value, names) => movedIn(value, names.origin, origin) as T, json);

/** Replaces present addresses by those under former names, in our own JSON. */
export const withFormerNames = <T>(
  { origin }: Pick<Origins, "origin">,
  former: FormerNames,
  json: T,
): T => movedIn(json, origin, former.origin) as T;

/** Returns our address as somebody wrote it: under the present name, or under a former one. */
export const asWritten = ({ origin, former }: Origins, uri: string, written: unknown): string =>
  former.map((names) => moved(uri, origin, names.origin)).find((old) => old === written) ?? uri;

/**
 * Lists the addresses that something of ours had, if it was made at that time, under each name that the server has had
 * since.
 */
export const formerAddresses = (
  { origin, former }: Origins,
  uri: string,
  madeAt: Date,
): { names: FormerNames; uri: string }[] =>
  former
    .filter(({ until }) => madeAt < until)
    .map((names) => ({ names, uri: moved(uri, origin, names.origin) }));
