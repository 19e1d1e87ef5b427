// Plain text out of HTML and out of names: for previews, notifications, search and page heads.
import { sanitiseHtml } from "./sanitise.ts";
import { decodeEscapes, tokenise } from "./tidy.ts";

const PARTED = new Set(["p", "blockquote", "pre", "ul", "ol"]);

const breakFor = (tag: string, closes: boolean): string => {
  if (PARTED.has(tag)) return "\n\n";
  return tag === "br" || (tag === "li" && closes) ? "\n" : "";
};

/**
 * What a reader sees of any HTML, as plain text (not escaped): paragraphs parted by a blank
 * line, links as their whole text.
 */
export const plainText = (html: string): string =>
  tokenise(sanitiseHtml(html))
    .map(({ tag, closes, text }) => (tag === null ? decodeEscapes(text) : breakFor(tag, closes)))
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

// Controls, line and paragraph separators, the byte order mark.
const BREAKING = /[\p{Cc}\u2028\u2029]+/gu;
// Embeddings, overrides and isolates: a name could turn round the text that follows it.
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;

/**
 * A name, a field's name, a warning or another text of one line: plain text, at most
 * `maxLength` UTF-16 units. Emoji joiners and the marks of right-to-left scripts stay.
 */
export const sanitiseName = (text: string, maxLength = 2000): string =>
  text.slice(0, maxLength).toWellFormed().replace(BREAKING, " ").replace(BIDI_CONTROLS, "").trim();
