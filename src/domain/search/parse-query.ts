// Search queries for posts: words, "phrases", -exclusions, and operators (from: before: after: during:
// has: is: language: in:). Pure.

import { normaliseLanguage } from "../../platform/text/language.ts";
import { phraseQuery } from "./words.ts";

export type Scope = "all" | "library" | "public";

export type ParsedQuery = {
  /** Parts of a tsquery, all of which must hold; a `!` before what must not. */
  terms: string[];
  /** Only posts of these handles, or none of theirs; `me` is the viewer. */
  from: { handle: string; not: boolean }[];
  /** Milliseconds: written at or after, and before. */
  since: number | null;
  until: number | null;
  scope: Scope;
  /** An operator has an invalid value: nothing matches. */
  impossible: boolean;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_TERMS = 50;

/** [+-] key: value or words, either in quotes. */
const PART =
  /(?<sign>[-+]?)(?:(?<key>[a-z]+):(?:"(?<long>[^"]*)"|(?<short>[^\s"]+))|"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/giu;

/** The start of the day, month or year and of the next one; null for an invalid date. */
const span = (text: string): { from: number; to: number } | null => {
  const match = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:T.*)?$/.exec(text);
  if (!match) return null;
  const [year, month, day] = match.slice(1).map((part) => (part ? Number(part) : null));
  const from = Date.UTC(year!, (month ?? 1) - 1, day ?? 1);
  if (new Date(from).getUTCMonth() !== (month ?? 1) - 1) return null;
  const to = day ? from + DAY_MS : month ? Date.UTC(year!, month, 1) : Date.UTC(year! + 1, 0, 1);
  return { from, to };
};

const HAS: Record<string, string> = {
  media: "=has:media",
  image: "=has:image",
  video: "=has:video",
  audio: "=has:audio",
  poll: "=has:poll",
  link: "=has:link",
  embed: "=has:link",
};
const IS: Record<string, string> = {
  reply: "=is:reply",
  quote: "=is:quote",
  sensitive: "=is:sensitive",
};
const SCOPES: Record<string, Scope> = { library: "library", public: "public", all: "all" };

const markOf = (key: string, value: string): string | null => {
  if (key === "has") return HAS[value] ?? null;
  if (key === "is") return IS[value] ?? null;
  const language = normaliseLanguage(value);
  return language && `=lang:${language.toLowerCase()}`;
};

const narrow = (parsed: ParsedQuery, since: number | null, until: number | null): void => {
  if (since !== null) parsed.since = Math.max(since, parsed.since ?? since);
  if (until !== null) parsed.until = Math.min(until, parsed.until ?? until);
};

const addDate = (parsed: ParsedQuery, key: string, value: string, not: boolean): void => {
  const day = span(value);
  if (!day) {
    parsed.impossible = true;
  } else if (key === "during") {
    if (!not) narrow(parsed, day.from, day.to);
  } else if (key === "before") {
    narrow(parsed, not ? day.from : null, not ? null : day.from);
  } else {
    narrow(parsed, not ? null : day.to, not ? day.to : null);
  }
};

const OPERATORS = new Set(["from", "before", "after", "during", "has", "is", "language", "in"]);

const addOperator = (parsed: ParsedQuery, key: string, value: string, not: boolean): void => {
  if (key === "from") {
    parsed.from.push({ handle: value.replace(/^@/, ""), not });
  } else if (key === "in") {
    const scope = SCOPES[value.toLowerCase()];
    if (!scope) parsed.impossible = true;
    else if (!not) parsed.scope = scope;
  } else if (key === "has" || key === "is" || key === "language") {
    const mark = markOf(key, value.toLowerCase());
    if (mark === null) parsed.impossible = true;
    else parsed.terms.push(`${not ? "!" : ""}'${mark}'`);
  } else {
    addDate(parsed, key, value, not);
  }
};

/** Never fails; an unknown key is treated as words. */
export const parseQuery = (q: string): ParsedQuery => {
  const parsed: ParsedQuery = {
    terms: [],
    from: [],
    since: null,
    until: null,
    scope: "all",
    impossible: false,
  };
  for (const { groups } of q
    .normalize("NFC")
    .replaceAll(/[“”„«»]/g, '"')
    .matchAll(PART)) {
    const { sign, key, long, short, phrase, word } = groups!;
    const not = sign === "-";
    const value = long ?? short ?? "";
    if (key && OPERATORS.has(key.toLowerCase())) {
      addOperator(parsed, key.toLowerCase(), value, not);
    } else {
      const query = phraseQuery(phrase ?? word ?? `${key} ${value}`);
      if (query) parsed.terms.push(`${not ? "!" : ""}${query}`);
    }
    if (parsed.terms.length + parsed.from.length >= MAX_TERMS) break;
  }
  return parsed;
};
