// Counts the length of a post by the server's rules (src/platform/text/count.ts, compared in test/web/compose.test.ts):
// an emoji is one character, every link counts the same, a handle counts without its host, and the warning counts too.

import { mentionsIn } from "./mentions-in.ts";

const PROTOCOLS = "https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini";
const SCHEME = new RegExp(
  `(?<![A-Za-z0-9@\\uff20#\\uff03$_/])(?:(?:${PROTOCOLS})://|xmpp:(?=[\\p{L}\\p{N}])|magnet:(?=\\?))`,
  "giu",
);
const AUTHORITY =
  /(?:\[[0-9A-Fa-f:.]{2,45}\]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_.-]{0,252}[\p{L}\p{M}\p{N}])?)(?::\d{1,5}(?!\d))?/uy;
const PATH = /[\p{L}\p{M}\p{N}\p{So}!*';:=+,.$%#[\]\-_~&|@/?()]*/uy;
const USER_INFO = /(?::[^\s/?#@]{0,256})?@/y;
/** UTF-16 units of a link; a longer run is none. */
const MAX_LINK = 4096;

type Range = { start: number; end: number };

const runAt = (expression: RegExp, text: string, at: number): number => {
  expression.lastIndex = at;
  return expression.exec(text)?.[0].length ?? 0;
};

const endOfLink = (text: string, body: number): number => {
  if (text[body - 1] !== "/") return body + runAt(PATH, text, body);
  const end = body + runAt(AUTHORITY, text, body);
  if (end === body || runAt(USER_INFO, text, end) > 0) return body;
  return /[/?#]/.test(text[end] ?? "") ? end + runAt(PATH, text, end) : end;
};

const occurrences = (text: string, char: string): number => text.split(char).length - 1;

/** Removes punctuation of the sentence, and brackets that were opened before the link. */
const trimmed = (url: string): string => {
  const surplus: Record<string, number> = {
    ")": occurrences(url, ")") - occurrences(url, "("),
    "]": occurrences(url, "]") - occurrences(url, "["),
  };
  let end = url.length;
  for (; end > 0; end--) {
    const char = url[end - 1]!;
    if (".,:;!?'*~|$%@([".includes(char)) continue;
    if (!((surplus[char] ?? 0) > 0)) break;
    surplus[char]! -= 1;
  }
  return url.slice(0, end);
};

const linksIn = (text: string): Range[] => {
  const links: Range[] = [];
  SCHEME.lastIndex = 0;
  for (let match = SCHEME.exec(text); match; match = SCHEME.exec(text)) {
    const start = match.index;
    const body = SCHEME.lastIndex;
    const end = endOfLink(text, body);
    const { length } = trimmed(text.slice(start, end));
    const isLink = length > body - start && end - start <= MAX_LINK;
    if (isLink) links.push({ start, end: start + length });
    SCHEME.lastIndex = isLink ? start + length : end;
  }
  return links;
};

/** A part of the text; `as`: what is counted instead of it. */
type Piece = { start: number; end: number; as?: string };

/** Divides the text into links, mentions, and what is between them. */
const piecesOf = (text: string, linkCharacters: number): Piece[] => {
  const links = linksIn(text);
  const parts = links.map((link) => ({ ...link, as: "x".repeat(linkCharacters) }));
  for (const { start, end, username } of mentionsIn(text)) {
    if (!links.some((link) => link.start < end && start < link.end))
      parts.push({ start, end, as: `@${username}` });
  }
  const pieces: Piece[] = [];
  let at = 0;
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    pieces.push({ start: at, end: part.start }, part);
    at = part.end;
  }
  return [...pieces, { start: at, end: text.length }];
};

/** Returns the text as it is counted. */
const countable = (text: string, linkCharacters: number): string =>
  piecesOf(text, linkCharacters)
    .map(({ start, end, as }) => as ?? text.slice(start, end))
    .join("");

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

const graphemes = (text: string): number => {
  if (/^[\0-\x7f]*$/.test(text)) return text.length - occurrences(text, "\r\n");
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
};

type Counted = { text: string; warning: string; linkCharacters: number };

/** Returns where in the text the characters begin that are too many; a link or a mention is whole on one side. */
export const excessFrom = ({ text, warning, linkCharacters }: Counted, limit: number): number => {
  let left = limit - graphemes(warning);
  for (const { start, end, as } of piecesOf(text, linkCharacters)) {
    const piece = text.slice(start, end);
    const size = graphemes(as ?? piece);
    if (size > left) {
      if (as !== undefined || left <= 0) return start;
      const [first] = [...segmenter.segment(piece)].slice(left);
      return start + (first?.index ?? piece.length);
    }
    left -= size;
  }
  return text.length;
};

/** `linkCharacters` is `characters_reserved_per_url` of the instance. */
export const countCharacters = (text: string, warning: string, linkCharacters: number): number =>
  graphemes(warning) + graphemes(countable(text, linkCharacters));
