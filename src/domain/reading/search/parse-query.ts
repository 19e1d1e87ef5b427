// Parses search queries for posts: words, "phrases", -exclusions, and operators (from: to: before: after: during: has:
// is: link: language: or lang:, in:). Without I/O.

import { normaliseLanguage } from "../../../platform/text/language.ts";
import { linkMark } from "./link-marks.ts";
import { phraseQuery, plainRuns } from "./words.ts";

/** Where posts are searched: what everybody may find, and what only the viewer may find. */
export type Source = "public" | "own" | "mentions" | "favourites" | "bookmarks";

/** A part of a tsquery; `word` is for stemmers, null where only the exact form counts. */
export type Term = { query: string; not: boolean; word: string | null };

export type ParsedQuery = {
  /** Terms that must all match, and those with `not`, of which none may. */
  terms: Term[];
  /** Conditions on the post instead of its words. */
  marks: string[];
  /** Handles of authors or recipients that the posts must have, or with `not` must not have; `me` is the viewer. */
  people: { mark: "from" | "to"; handle: string; not: boolean }[];
  /** Languages of the posts, where the query names some. */
  languages: string[];
  /** Milliseconds: written at or after, and before. */
  since: number | null;
  until: number | null;
  /** Null for everywhere. */
  sources: Source[] | null;
  /** Whether an operator has an invalid value, so that nothing matches. */
  impossible: boolean;
};

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_TERMS = 50;

/** Matches [+-] key: value or words, either in quotes. */
const PART =
  /(?<sign>[-+]?)(?:(?<key>[a-z]+):(?:"(?<long>[^"]*)"|(?<short>[^\s"]+))|"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/giu;

/** Returns the start of the day, month or year and of the next one; null for an invalid date. */
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
  event: "=has:event",
  link: "=has:link",
  embed: "=has:link",
};
const IS: Record<string, string> = {
  reply: "=is:reply",
  quote: "=is:quote",
  sensitive: "=is:sensitive",
};
const LIBRARY: Source[] = ["own", "mentions", "favourites", "bookmarks"];
const SOURCES: Record<string, Source[]> = {
  all: ["public", ...LIBRARY],
  bookmarks: ["bookmarks"],
  favorites: ["favourites"],
  favourites: ["favourites"],
  library: LIBRARY,
  mentions: ["mentions"],
  own: ["own"],
  public: ["public"],
};

const markOf = (key: string, value: string): string | null => {
  if (key === "has") return HAS[value] ?? null;
  if (key === "is") return IS[value] ?? null;
  if (key === "link") return linkMark(value);
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

const OPERATORS = new Set("from to before after during has is link language lang in".split(" "));

const addPerson = (parsed: ParsedQuery, mark: "from" | "to", value: string, not: boolean): void => {
  parsed.people.push({ mark, handle: value.replace(/^@/, ""), not });
};

const addSources = (parsed: ParsedQuery, value: string, not: boolean): void => {
  const sources = SOURCES[value];
  if (!sources) parsed.impossible = true;
  else if (!not) parsed.sources = [...(parsed.sources ?? []), ...sources];
};

const addMark = (parsed: ParsedQuery, key: string, value: string, not: boolean): void => {
  const mark = markOf(key, value);
  if (mark === null) parsed.impossible = true;
  else parsed.marks.push(`${not ? "!" : ""}'${mark}'`);
  if (mark?.startsWith("=lang:") && !not) parsed.languages.push(mark.slice("=lang:".length));
};

const addOperator = (parsed: ParsedQuery, key: string, value: string, not: boolean): void => {
  if (key === "from" || key === "to") addPerson(parsed, key, value, not);
  else if (key === "in") addSources(parsed, value.toLowerCase(), not);
  else if (["has", "is", "link", "language", "lang"].includes(key))
    addMark(parsed, key, key === "link" ? value : value.toLowerCase(), not);
  else addDate(parsed, key, value, not);
};

/** In a phrase every word counts as it is written; a single word is also found in its other forms. */
const addWords = (parsed: ParsedQuery, text: string, isPhrase: boolean, not: boolean): void => {
  const query = phraseQuery(text);
  if (!query) return;
  const runs = isPhrase ? [] : plainRuns(text);
  const isWord = runs.length === 1 && query === phraseQuery(runs[0]!);
  parsed.terms.push({ query, not, word: isWord ? runs[0]! : null });
};

const sizeOf = ({ terms, marks, people }: ParsedQuery): number =>
  terms.length + marks.length + people.length;

/** Never fails; an unknown key is treated as words. */
export const parseQuery = (q: string): ParsedQuery => {
  const parsed: ParsedQuery = {
    terms: [],
    marks: [],
    people: [],
    languages: [],
    since: null,
    until: null,
    sources: null,
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
      addWords(parsed, phrase ?? word ?? `${key} ${value}`, word === undefined, not);
    }
    if (sizeOf(parsed) >= MAX_TERMS) break;
  }
  return parsed;
};
