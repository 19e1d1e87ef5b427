// Converts HTML and names to plain text: for previews, notifications, search and page heads.
import { isBlank } from "./count.ts";
import { sanitiseHtml } from "./sanitise.ts";
import { decodeEscapes, tokenise } from "./tidy.ts";

const PARTED = new Set(["p", "blockquote", "pre", "ul", "ol"]);

const breakFor = (tag: string, closes: boolean): string => {
  if (PARTED.has(tag)) return "\n\n";
  return tag === "br" || (tag === "li" && closes) ? "\n" : "";
};

/**
 * Returns the text as a reader sees it (not escaped) of HTML that was sanitised or formatted when it was stored:
 * paragraphs separated by a blank line, links with their full text.
 */
export const storedText = (html: string): string =>
  tokenise(html)
    .map(({ tag, closes, text }) => (tag === null ? decodeEscapes(text) : breakFor(tag, closes)))
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** Does the same as storedText, without code. */
export const textOutsideCode = (html: string): string =>
  storedText(html.replaceAll(/<(pre|code)>.*?<\/\1>/gs, " "));

/** Does the same for any HTML; sanitising it takes ten times as long. */
export const plainText = (html: string): string => storedText(sanitiseHtml(html));

// Control characters, line and paragraph separators.
const BREAKING = /[\p{Cc}\u2028\u2029]+/gu;
// Embeddings, overrides, isolates, the byte order mark: they could reverse the text after a name.
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g;

/** Cuts to `max` UTF-16 units without splitting a character. */
const cutUnits = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");

/**
 * Returns a name, a field's name, a content warning or another single line as plain text of at most `maxLength` UTF-16
 * units; an empty one where nothing could be seen. Emoji joiners and the marks of right-to-left scripts stay.
 */
export const sanitiseName = (text: string, maxLength = 2000): string => {
  const line = cutUnits(text, maxLength).toWellFormed().replace(BREAKING, " ");
  return isBlank(line) ? "" : line.replace(BIDI_CONTROLS, "").trim();
};
