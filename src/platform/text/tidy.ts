// The second pass of the sanitiser, over HTML that is already safe and well-formed: headings become
// strong paragraphs, block elements a space, links are not nested, and a shortened link shows its host.
import { authorityOf, HIDDEN_PREFIX } from "./protocols.ts";

/** The allowed elements. */
export const ELEMENTS = "p span br a del pre code em strong b i u ul ol li blockquote".split(" ");
/** Elements that become `<p><strong>`. */
export const HEADINGS = "h1 h2 h3 h4 h5 h6".split(" ");
/** Block elements that separate words: their tags become a space. */
export const BLOCKS = (
  "address article aside dd details div dl dt figcaption figure " +
  "footer header hr main nav section summary table td th tr"
).split(" ");

/** Ruby annotations, which are put into parentheses. */
export const RUBY = ["ruby", "rt", "rp"];

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Decodes the escapes that the sanitiser and `escapeHtml` (which also writes #39) write; there are no others. */
export const decodeEscapes = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");

type Token = { tag: string | null; closes: boolean; text: string };

// The sanitiser escapes < and > in text and attributes, so everything that looks like a tag is one.
const toToken = (text: string): Token => {
  const match = /^<(\/?)([a-z0-9]+)[^>]*>$/.exec(text);
  return { tag: match?.[2] ?? null, closes: match?.[1] === "/", text };
};

/** Splits safe HTML into tags and the texts between them. */
export const tokenise = (html: string): Token[] =>
  html
    .split(/(<[^>]*>)/)
    .filter((text) => text !== "")
    .map(toToken);

const classesOf = (tag: string): string[] => (/ class="([^"]*)"/.exec(tag)?.[1] ?? "").split(" ");

const isShortening = (name: string): boolean => name === "invisible" || name === "ellipsis";

const withoutShortening = (token: Token): Token => {
  if (token.tag === null || token.closes || !classesOf(token.text).some(isShortening)) return token;
  const others = classesOf(token.text).filter((name) => !isShortening(name));
  const attribute = others.length === 0 ? "" : ` class="${others.join(" ")}"`;
  return { ...token, text: token.text.replace(/ class="[^"]*"/, attribute) };
};

type Piece = { text: string; hidden: boolean };

/** Returns the texts of a link; `hidden` when an element of class "invisible" contains it. */
const piecesOf = (tokens: Token[]): Piece[] => {
  const open: boolean[] = [];
  let hiding = 0;
  const pieces: Piece[] = [];
  for (const { tag, closes, text } of tokens) {
    if (tag === null) pieces.push({ text: decodeEscapes(text), hidden: hiding > 0 });
    else if (closes) hiding -= open.pop() ? 1 : 0;
    else if (tag !== "br") {
      const hides = classesOf(text).includes("invisible");
      open.push(hides);
      hiding += hides ? 1 : 0;
    }
  }
  return pieces;
};

const sameAddress = (a: string, b: string): boolean =>
  a === b || (URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href);

const textOf = (pieces: Piece[]): string => pieces.map(({ text }) => text).join("");

/**
 * Whether a shortened link shows where it leads: its whole text is its URL, only the protocol (and www.)
 * is hidden in front, and the visible part is contiguous and contains the whole host.
 */
const showsItsHost = (href: string, pieces: Piece[]): boolean => {
  if (!sameAddress(textOf(pieces), href)) return false;
  const first = pieces.findIndex(({ hidden }) => !hidden);
  if (first === -1) return false;
  const last = pieces.findLastIndex(({ hidden }) => !hidden);
  const visible = pieces.slice(first, last + 1);
  if (visible.some(({ hidden }) => hidden)) return false;
  const before = textOf(pieces.slice(0, first));
  if (before !== "" && HIDDEN_PREFIX.exec(before)?.[0] !== before) return false;
  const shown = textOf(visible);
  const hostAndRest = shown.replace(HIDDEN_PREFIX, "") + textOf(pieces.slice(last + 1));
  return shown.replace(HIDDEN_PREFIX, "").length >= authorityOf(hostAndRest).length;
};

const tidyLink = (link: Token[]): Token[] => {
  const shortens = link.some(({ tag, text }) => tag && classesOf(text).some(isShortening));
  if (!shortens) return link;
  const href = decodeEscapes(/ href="([^"]*)"/.exec(link[0]?.text ?? "")?.[1] ?? "");
  return showsItsHost(href, piecesOf(link.slice(1, -1))) ? link : link.map(withoutShortening);
};

/**
 * Handles each link as a whole. A link without href, or inside another link, loses its tags; outside of
 * links nothing may be hidden.
 */
const tidyLinks = (tokens: Token[]): Token[] => {
  const out: Token[] = [];
  const open: boolean[] = [];
  let start = -1;
  for (const token of tokens) {
    if (token.tag !== "a") {
      out.push(start === -1 ? withoutShortening(token) : token);
    } else if (!token.closes) {
      const isLink = start === -1 && token.text.includes(" href=");
      open.push(isLink);
      if (isLink) start = out.push(token) - 1;
    } else if (open.pop()) {
      out.push(token);
      out.push(...tidyLink(out.splice(start)));
      start = -1;
    }
  }
  return out;
};

/** Puts ruby annotations into parentheses; where the text has its own in `<rp>`, those are kept. */
const tidyRuby = (tokens: Token[]): Token[] => {
  if (!tokens.some(({ tag }) => tag === "rt")) return tokens;
  const hasOwn = tokens.some(({ tag }) => tag === "rp");
  return tokens.map((token) =>
    token.tag !== "rt" || hasOwn ? token : toToken(token.closes ? ")" : "("),
  );
};

const SPACE: Token = { tag: null, closes: false, text: " " };
const SEPARATORS = new Set(["p", "br", "ul", "ol", "li", "pre", "blockquote"]);

/** Removes spaces where the text is separated already. */
const withoutExtraSpaces = (tokens: Token[]): Token[] =>
  tokens.filter((token, index) => {
    const before = tokens[index - 1];
    if (token !== SPACE) return true;
    return before !== undefined && before !== SPACE && !SEPARATORS.has(before.tag ?? "");
  });

/** Turns headings into strong paragraphs (without paragraphs inside) and block elements into spaces. */
const tidyBlocks = (tokens: Token[]): Token[] => {
  let depth = 0;
  return tokens.flatMap((token) => {
    const { tag, closes } = token;
    if (tag !== null && BLOCKS.includes(tag)) return [SPACE];
    if (tag !== null && HEADINGS.includes(tag)) {
      depth += closes ? -1 : 1;
      if (depth > (closes ? 0 : 1)) return [SPACE];
      const tags = closes ? ["</strong>", "</p>"] : ["<p>", "<strong>"];
      return tags.map(toToken);
    }
    return tag === "p" && depth > 0 ? [SPACE] : [token];
  });
};

// Start tag → the open element that a parser closes when the tag comes directly inside it.
const ENDED_BY: Record<string, string> = {
  p: "p",
  ul: "p",
  ol: "p",
  pre: "p",
  blockquote: "p",
  li: "li",
};

/** Whether HTML contains a start tag that would close the element around it. */
export const hasImpliedEnds = (html: string): boolean => {
  const open: string[] = [];
  for (const { tag, closes } of tokenise(html)) {
    if (tag === null || tag === "br") continue;
    if (closes) open.pop();
    else if (open.at(-1) !== undefined && open.at(-1) === ENDED_BY[tag]) return true;
    else open.push(tag);
  }
  return false;
};

const isElement = ({ tag }: Token): boolean => tag === null || ELEMENTS.includes(tag);

/** Runs the whole second pass. The input has to be the output of sanitize-html. */
export const tidy = (html: string): string =>
  html.includes("<")
    ? tidyLinks(withoutExtraSpaces(tidyBlocks(tidyRuby(tokenise(html))).filter(isElement)))
        .map(({ text }) => text)
        .join("")
        .trim()
    : html.trim();
