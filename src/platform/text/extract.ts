// Finds links, mentions and hashtags in plain text. Every regular expression here is a run of one
// character class or has a bounded length, so the time is linear even for hostile input.
import { asciiHost } from "./hosts.ts";
import { isTagName, normaliseTag, TAG_SEPARATORS, TAG_WORD } from "./tags.ts";
import { LINK_PROTOCOLS } from "./protocols.ts";

/** `start` and `end` are UTF-16 offsets in the text; `end` is exclusive. */
export type LinkEntity = { type: "url"; start: number; end: number; url: string };
/** `handle` is in lower case and without the first @, with the host in ASCII: "bob" or "bob@host:port". */
export type MentionEntity = {
  type: "mention";
  start: number;
  end: number;
  handle: string;
  username: string;
  domain: string | null;
};
/** `name` is as typed, without #. */
type HashtagEntity = { type: "hashtag"; start: number; end: number; name: string };
export type TextEntity = LinkEntity | MentionEntity | HashtagEntity;

/** UTF-16 units of a link; a longer run of link characters is no link. */
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

/** Removes punctuation of the sentence, and closing brackets that were opened before the link. */
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

/** Returns where the run of link characters ends; `bodyStart` if there is no host, or if there is user info. */
const endOfRun = (text: string, bodyStart: number): number => {
  if (text[bodyStart - 1] !== "/") return bodyStart + runAt(PATH, text, bodyStart).length;
  const end = bodyStart + runAt(AUTHORITY, text, bodyStart).length;
  if (end === bodyStart || runAt(USER_INFO, text, end) !== "") return bodyStart;
  return /[/?#]/.test(text[end] ?? "") ? end + runAt(PATH, text, end).length : end;
};

/** Returns all links, in order of appearance. */
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

/** At signs of any width between a name and its host. */
const AT = String.raw`@\uff20\ufe6b`;
/** Invisible characters: joiners, marks of direction, variation selectors of emojis. */
const UNSEEN = String.raw`\p{Cf}\ufe0e\ufe0f`;
const HYPHENS = String.raw`\u2010\u2011\ufe63\uff0d-`;
const HOST_CHARACTER = String.raw`\p{L}\p{M}\p{N}\p{So}\p{Sk}${UNSEEN}_.\uff0e\u3002\uff61${HYPHENS}`;
/** UTF-16 units of a host; a longer run is none. */
const MAX_HOST = 300;
const MENTION = new RegExp(
  String.raw`(?<![=/\p{L}\p{M}\p{N}_${AT}])[${AT}]([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)` +
    // A name must not be part of a word in a script that has spaces, also where an invisible character divides the
    // word.
    String.raw`(?![${UNSEEN}]*[A-Za-z0-9_\p{M}\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|[.-]+[A-Za-z0-9_${AT}])` +
    String.raw`(?:[${UNSEEN}]{0,9}[${AT}]([${HOST_CHARACTER}]{0,${MAX_HOST}}))?`,
  "gu",
);
const PORT = /:\d{1,5}(?!\d)/y;

/** Removes the end of the sentence; the last part of a host is no emoji, which may follow it. */
const HOST_END = new RegExp(
  String.raw`(?:[.\uff0e\u3002\uff61\p{So}\p{Sk}${UNSEEN}${HYPHENS}])+$`,
  "u",
);
/** An emoji within the last part ends the host before it. */
const LAST_PART = new RegExp(
  String.raw`^(.*[.\uff0e\u3002\uff61][\p{L}\p{M}\p{N}_${HYPHENS}]+)[\p{So}\p{Sk}][^.\uff0e\u3002\uff61]*$`,
  "u",
);

/** Returns the host that a run of characters begins with; "" if there is none. */
const hostIn = (run: string): string => {
  const whole = run.replace(HOST_END, "");
  return LAST_PART.exec(whole)?.[1] ?? whole;
};

const portAt = (text: string, at: number): string => {
  PORT.lastIndex = at;
  return PORT.exec(text)?.[0] ?? "";
};

/** Returns null when what follows the name's @ is no host, so that nobody is mentioned. */
const mentionOf = (match: RegExpExecArray): MentionEntity | null => {
  const [whole, username = "", run] = match;
  const start = match.index;
  const name = username.toLowerCase();
  if (run === undefined) {
    const end = start + whole.length;
    return { type: "mention", start, end, handle: name, username, domain: null };
  }
  const host = hostIn(run);
  const hostEnd = start + whole.length - run.length + host.length;
  const port = host.length === run.length ? portAt(match.input, hostEnd) : "";
  const domain = asciiHost(host + port);
  if (domain === null) return null;
  const end = hostEnd + port.length;
  return { type: "mention", start, end, handle: `${name}@${domain}`, username, domain };
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

/** Returns the matches of `expression` that `make` accepts and that do not overlap `taken` (which is sorted). */
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

/** Entities of one text; further ones stay text. A post of 500 characters has a quarter of that at most. */
export const MAX_ENTITIES = 1000;

/** Returns links, mentions and hashtags of a text in order of appearance, without overlaps. */
export const extractEntities = (text: string): TextEntity[] => {
  const links: TextEntity[] = extractLinks(text);
  const mentions = outside(text, links, MENTION, mentionOf);
  const taken = inOrder([...links, ...mentions]);
  const tags = outside(text, taken, HASHTAG, hashtagOf);
  return inOrder([...taken, ...tags]).slice(0, MAX_ENTITIES);
};

/** Returns the mentions among entities, each handle once, in order of first appearance. */
export const distinctMentions = (entities: TextEntity[]): MentionEntity[] => {
  const byHandle = new Map<string, MentionEntity>();
  for (const entity of entities) {
    if (entity.type === "mention" && !byHandle.has(entity.handle)) {
      byHandle.set(entity.handle, entity);
    }
  }
  return [...byHandle.values()];
};

export const extractMentions = (text: string): MentionEntity[] =>
  distinctMentions(extractEntities(text));

/** Returns the hashtags among entities, each once: `name` is the key, `display` the spelling that comes first. */
export const distinctTags = (entities: TextEntity[]): { name: string; display: string }[] => {
  const byName = new Map<string, { name: string; display: string }>();
  for (const entity of entities) {
    if (entity.type !== "hashtag") continue;
    const name = normaliseTag(entity.name);
    if (!byName.has(name)) byName.set(name, { name, display: entity.name });
  }
  return [...byName.values()];
};

/** Returns the hashtags of a text. */
export const extractTags = (text: string): { name: string; display: string }[] =>
  distinctTags(extractEntities(text));
