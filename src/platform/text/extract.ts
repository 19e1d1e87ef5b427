// Finds links, mentions and hashtags in plain text. Every regular expression here is a run of one
// character class or has a bounded length, so the time is linear even for hostile input.
import { isTagName, normaliseTag, TAG_SEPARATORS, TAG_WORD } from "./tags.ts";
import { LINK_PROTOCOLS } from "./protocols.ts";

/** `start` and `end` are UTF-16 offsets in the text; `end` is exclusive. */
export type LinkEntity = { type: "url"; start: number; end: number; url: string };
/** `handle`: as typed, in lower case and without the first @: "bob" or "bob@host:port". */
export type MentionEntity = {
  type: "mention";
  start: number;
  end: number;
  handle: string;
  username: string;
  domain: string | null;
};
/** `name`: as typed, without #. */
type HashtagEntity = { type: "hashtag"; start: number; end: number; name: string };
export type TextEntity = LinkEntity | MentionEntity | HashtagEntity;

/** A longer run of link characters is not a link. */
const MAX_URL_LENGTH = 4096;

const WITHOUT_SLASHES = ["xmpp", "magnet"];
const WITH_SLASHES = LINK_PROTOCOLS.filter((name) => !WITHOUT_SLASHES.includes(name));

const SCHEME = new RegExp(
  `(?<![A-Za-z0-9@\\uff20#\\uff03$_/])(?:(?:${WITH_SLASHES.join("|")})://|xmpp:(?=[\\p{L}\\p{N}])|magnet:(?=\\?))`,
  "giu",
);
const AUTHORITY =
  /(?:\[[0-9A-Fa-f:.]{2,45}\]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_.-]{0,252}[\p{L}\p{M}\p{N}])?)(?::\d{1,5}(?!\d))?/uy;
const PATH = /[\p{L}\p{M}\p{N}\p{So}!*';:=+,.$%#[\]\-_~&|@/?()]*/uy;

const USER_INFO = /(?::[^\s/?#@]{0,256})?@/y;

const PAIRS: Record<string, string> = { ")": "(", "]": "[" };

const countOf = (text: string, char: string): number => text.split(char).length - 1;

/** Removes punctuation of the sentence, and brackets that were opened before the link. */
const trimEnd = (url: string): string => {
  const surplus: Record<string, number> = {};
  for (const [close, open] of Object.entries(PAIRS)) {
    surplus[close] = countOf(url, close) - countOf(url, open);
  }
  let end = url.length;
  for (; end > 0; end--) {
    const char = url[end - 1] ?? "";
    if (".,:;!?'*~|$%@([".includes(char)) continue;
    if (!(char in PAIRS) || (surplus[char] ?? 0) <= 0) break;
    surplus[char] = (surplus[char] ?? 0) - 1;
  }
  return url.slice(0, end);
};

const runAt = (expression: RegExp, text: string, at: number): string => {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? "";
};

/** Where the run of link characters ends; `bodyStart` if there is no host, or user info. */
const endOfRun = (text: string, bodyStart: number): number => {
  if (text[bodyStart - 1] !== "/") return bodyStart + runAt(PATH, text, bodyStart).length;
  const end = bodyStart + runAt(AUTHORITY, text, bodyStart).length;
  if (end === bodyStart || runAt(USER_INFO, text, end) !== "") return bodyStart;
  return /[/?#]/.test(text[end] ?? "") ? end + runAt(PATH, text, end).length : end;
};

/** All links, in order of appearance. */
export const extractLinks = (text: string): LinkEntity[] => {
  const links: LinkEntity[] = [];
  SCHEME.lastIndex = 0;
  for (let match = SCHEME.exec(text); match; match = SCHEME.exec(text)) {
    const start = match.index;
    const bodyStart = SCHEME.lastIndex;
    const end = endOfRun(text, bodyStart);
    const url = trimEnd(text.slice(start, end));
    const isLink = url.length > bodyStart - start && end - start <= MAX_URL_LENGTH;
    if (isLink) links.push({ type: "url", start, end: start + url.length, url });
    // Skips the whole run: reading parts of a too long link again would take quadratic time.
    SCHEME.lastIndex = isLink ? start + url.length : end;
  }
  return links;
};

const LABEL = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]{0,62}`;
const MENTION = new RegExp(
  String.raw`(?<![=/\p{L}\p{M}\p{N}_@\uff20])[@\uff20]([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)(?![A-Za-z0-9_])` +
    String.raw`(?:@(${LABEL}(?:\.${LABEL}){0,20}(?::\d{1,5}(?!\d))?))?`,
  "gu",
);

const mentionOf = (match: RegExpExecArray): MentionEntity => {
  const username = match[1] ?? "";
  const domain = match[2]?.toLowerCase() ?? null;
  const name = username.toLowerCase();
  return {
    type: "mention",
    start: match.index,
    end: match.index + match[0].length,
    handle: domain === null ? name : `${name}@${domain}`,
    username,
    domain,
  };
};

const HASHTAG = new RegExp(
  `(?<![=/)${TAG_WORD}&])[#\\uff03]([${TAG_WORD}${TAG_SEPARATORS}]+)`,
  "gu",
);

const hashtagOf = (match: RegExpExecArray): HashtagEntity | null => {
  const run = match[1] ?? "";
  let length = run.length;
  while (length > 0 && /[\u200c\u00b7\u30fb\uff65]/.test(run[length - 1] ?? "")) length--;
  const name = run.slice(0, length);
  if (!isTagName(name)) return null;
  return { type: "hashtag", start: match.index, end: match.index + 1 + length, name };
};

/** The matches of `expression` that `make` accepts and that do not overlap `taken` (which is sorted). */
const outside = <T extends TextEntity>(
  text: string,
  taken: TextEntity[],
  expression: RegExp,
  make: (match: RegExpExecArray) => T | null,
): T[] => {
  const kept: T[] = [];
  let next = 0;
  for (const match of text.matchAll(expression)) {
    while (next < taken.length && (taken[next]?.end ?? 0) <= match.index) next++;
    const entity = make(match);
    const blocker = taken[next];
    if (entity && (!blocker || blocker.start >= entity.end)) kept.push(entity);
  }
  return kept;
};

const inOrder = (entities: TextEntity[]): TextEntity[] =>
  entities.sort((a, b) => a.start - b.start);

/** Links, mentions and hashtags of a text in order of appearance, without overlaps. */
export const extractEntities = (text: string): TextEntity[] => {
  const links: TextEntity[] = extractLinks(text);
  const mentions = outside(text, links, MENTION, mentionOf);
  const taken = inOrder([...links, ...mentions]);
  return inOrder([...taken, ...outside(text, taken, HASHTAG, hashtagOf)]);
};

/** The mentions among them, each handle once, in order of first appearance. */
export const distinctMentions = (entities: TextEntity[]): MentionEntity[] => {
  const byHandle = new Map<string, MentionEntity>();
  for (const entity of entities) {
    if (entity.type === "mention" && !byHandle.has(entity.handle)) {
      byHandle.set(entity.handle, entity);
    }
  }
  return [...byHandle.values()];
};

/** The mentions of a text. */
export const extractMentions = (text: string): MentionEntity[] =>
  distinctMentions(extractEntities(text));

/** The hashtags among them, each once: `name` is the key, `display` the spelling that comes first. */
export const distinctTags = (entities: TextEntity[]): { name: string; display: string }[] => {
  const byName = new Map<string, { name: string; display: string }>();
  for (const entity of entities) {
    if (entity.type !== "hashtag") continue;
    const name = normaliseTag(entity.name);
    if (!byName.has(name)) byName.set(name, { name, display: entity.name });
  }
  return [...byName.values()];
};

/** The hashtags of a text. */
export const extractTags = (text: string): { name: string; display: string }[] =>
  distinctTags(extractEntities(text));
