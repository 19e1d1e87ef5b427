// Decides, without I/O, whether a rule matches a post. Patterns run in RE2, in time linear in the text, on the
// beginning of the text.

import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { hostIn } from "../../../platform/json/read.ts";
import { plainText } from "../../../platform/text/plain.ts";
import type { Conditions, Facts, Judged } from "./tables.ts";

const MAX_TEXT = 5000;

/** Loads RE2 at its first use: most servers have no such rule. */
const load = () => createRequire(import.meta.url)("re2js") as typeof import("re2js");

/** Throws the reason where the pattern is invalid. */
export const compilePattern = (pattern: string): RE2JS => {
  const { RE2JS: engine } = load();
  return engine.compile(pattern, engine.CASE_INSENSITIVE | engine.DOTALL);
};

const paragraphOf = (text: string): string => `<p>${text.replaceAll("<", "&lt;")}</p>`;

export const textOf = ({ content, beside }: Pick<Judged, "content" | "beside">): string =>
  plainText(beside.map(paragraphOf).join("") + content.slice(0, 4 * MAX_TEXT))
    .slice(0, MAX_TEXT)
    .normalize("NFKC");

/** Adds the descriptions of files, bounded on their own, so that neither part can push out the other. */
export const wholeText = (text: string, described: string[]): string => {
  const below = described.filter(Boolean).join("\n\n").slice(0, MAX_TEXT).normalize("NFKC");
  return [text, below].filter(Boolean).join("\n\n");
};

/** Characters from which equal texts count as the same; shorter ones are equal by chance. */
const MIN_SAME = 20;

/** Hashes the text without names and spaces; returns null where it is too short. */
export const hashOf = (text: string): Buffer | null => {
  const bare = text
    .toLowerCase()
    .replace(/@[\w.@-]+/g, "")
    .replace(/\s+/g, "");
  return bare.length < MIN_SAME ? null : createHash("sha256").update(bare).digest();
};

export const hostsOf = (links: string[]): string[] => links.flatMap((link) => hostIn(link) ?? []);

/** Returns true for the domain itself too. */
const isBelow = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`);

const CHECKS: {
  [N in keyof Conditions]-?: (value: NonNullable<Conditions[N]>, facts: Facts) => boolean;
} = {
  origin: (origin, { local }) => local === (origin === "local"),
  account_age_below: (hours, { ageHours }) => ageHours < hours,
  followers_below: (count, { followers }) => followers < count,
  links: (count, { links }) => links >= count,
  mentions: (count, { mentions }) => mentions >= count,
  strangers: (count, { strangers }) => strangers >= count,
  domains: (domains, { domain }) =>
    domain !== null && domains.some((above) => isBelow(domain, above)),
  link_domains: (domains, { linkHosts }) =>
    linkHosts.some((host) => domains.some((above) => isBelow(host, above))),
  words: (words, { text }) => {
    const lower = text.toLowerCase();
    return words.some((word) => lower.includes(word));
  },
  pattern: (pattern, { text }) => patternOf(pattern).matcher(text).find(),
  same_text: (count, { sameText }) => sameText >= count,
};

/** Compiled patterns of the few rules that exist. */
const compiled = new Map<string, RE2JS>();

const patternOf = (pattern: string): RE2JS => {
  const known = compiled.get(pattern);
  if (known) return known;
  const regex = compilePattern(pattern);
  if (compiled.size >= 200) compiled.clear();
  compiled.set(pattern, regex);
  return regex;
};

/** Order of the checks; the most expensive come last. */
const ORDER = Object.keys(CHECKS) as (keyof Conditions)[];

export const matches = (conditions: Conditions, facts: Facts): boolean =>
  ORDER.every((name) => {
    const value = conditions[name];
    return value === undefined || (CHECKS[name] as (w: unknown, f: Facts) => boolean)(value, facts);
  });
