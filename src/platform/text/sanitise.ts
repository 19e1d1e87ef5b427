// Makes remote HTML safe to store and show. sanitize-html keeps the allowed elements, attributes and protocols; a
// second pass over its well-formed output (tidy.ts) does what needs a whole link. It runs once for each incoming text:
// the result is stored.

import { createRequire } from "node:module";
import type sanitize from "sanitize-html";
import { firstTags } from "./first-tags.ts";
import { LINK_PROTOCOLS } from "./protocols.ts";
import { BLOCKS, ELEMENTS, hasImpliedEnds, HEADINGS, RUBY, tidy } from "./tidy.ts";

const require = createRequire(import.meta.url);
let library: typeof sanitize | null = null;

/** Loads sanitize-html (4 MB) with the first text. */
const keepAllowed = (html: string): string =>
  // Control characters written as `&#1;` are decoded by now; JSON takes six bytes for each.
  (library ??= require("sanitize-html") as typeof sanitize)(html, OPTIONS).replace(CONTROLS, "");

const MAX_INPUT = 1_000_000;
// Tags that are read. 4,000 elements and as many end tags without a start tag take 30 ms, 8,000 headings without an end
// 100 ms. The part of a post that is kept (48 KiB) has fewer tags, unless nearly all of it is tags.
const MAX_TAGS = 8_000;
const MAX_DEPTH = 64;

/** Class of the fallback link of a quote: clients that show the quote hide it (FEP-044f). */
export const QUOTE_LINE = "quote-inline";
/** Class of the fallback line of an event. */
export const EVENT_LINE = "event-inline";
/** Class of the line that links to the page of an article, video or event. */
export const PAGE_LINE = "page-inline";
const CLASSES = new Set(["mention", "hashtag", "ellipsis", "invisible", QUOTE_LINE]);
/** Classes that paragraphs keep. */
const LINES = [QUOTE_LINE, EVENT_LINE, PAGE_LINE];
const CLASS_PREFIX = /^(?:h|p|u|dt|e)-[A-Za-z0-9-]{1,64}$/;

const attributesOfClass = (value: string | undefined): { class?: string } => {
  const allowed = (value ?? "").split(/\s+/).filter((c) => CLASSES.has(c) || CLASS_PREFIX.test(c));
  return allowed.length === 0 ? {} : { class: allowed.join(" ") };
};

const attributesOfTranslate = (value: string | undefined): { translate?: string } =>
  value === "no" ? { translate: "no" } : {};

const REL = "nofollow noopener noreferrer";

/** Returns the URL without the characters that browsers ignore, or null where it must not be linked. */
const safeHref = (value: string | undefined): string | null => {
  // oxlint-disable-next-line no-control-regex
  const href = (value ?? "").replace(/[\t\n\r]/g, "").replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme === undefined || !LINK_PROTOCOLS.includes(scheme)) return null;
  return scheme.startsWith("http") && !URL.canParse(href) ? null : href;
};

const transformLink: sanitize.Transformer = (_name, attributes) => {
  const href = safeHref(attributes.href);
  // tidy.ts unwraps links without href. (With another, disallowed tag name here sanitize-html 2.18
  // would close a later element of that name.)
  if (href === null) return { tagName: "a", attribs: {} };
  const isTag = (attributes.rel ?? "").toLowerCase().split(/\s+/).includes("tag");
  return {
    tagName: "a",
    attribs: {
      href,
      ...attributesOfClass(attributes.class),
      target: "_blank",
      rel: isTag ? `${REL} tag` : REL,
      ...attributesOfTranslate(attributes.translate),
    },
  };
};

const transformSpan: sanitize.Transformer = (tagName, attributes) => ({
  tagName,
  attribs: {
    ...attributesOfClass(attributes.class),
    ...attributesOfTranslate(attributes.translate),
  },
});

const transformParagraph: sanitize.Transformer = (tagName, attributes) => {
  const classes = (attributes.class ?? "").split(/\s+/);
  const line = LINES.find((name) => classes.includes(name));
  const attribs: sanitize.Attributes = line ? { class: line } : {};
  return { tagName, attribs };
};

const numeric = (name: string, value: string | undefined): sanitize.Attributes =>
  /^-?\d{1,9}$/.test(value ?? "") ? { [name]: value ?? "" } : {};

// These are removed with their content; other elements that are not allowed leave their text.
const DROPPED =
  "script style textarea option select xmp noscript noembed noframes iframe object template title head svg".split(
    " ",
  );

const OPTIONS: sanitize.IOptions = {
  allowedTags: [...ELEMENTS, ...HEADINGS, ...BLOCKS, ...RUBY],
  nonTextTags: DROPPED,
  allowedAttributes: {
    a: ["href", "class", "target", "rel", "translate"],
    p: ["class"],
    span: ["class", "translate"],
    ol: ["start", "reversed"],
    li: ["value"],
  },
  allowedSchemes: LINK_PROTOCOLS,
  allowProtocolRelative: false,
  nestingLimit: MAX_DEPTH,
  transformTags: {
    a: transformLink,
    p: transformParagraph,
    span: transformSpan,
    ol: (tagName, { start, reversed }) => ({
      tagName,
      attribs: { ...numeric("start", start), ...(reversed === undefined ? {} : { reversed: "" }) },
    }),
    li: (tagName, { value }) => ({ tagName, attribs: numeric("value", value) }),
  },
};

// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f]/g;

const bounded = (text: string): string =>
  firstTags(text.slice(0, MAX_INPUT).toWellFormed(), MAX_TAGS);

// Unwrapping can put a paragraph into a paragraph, which the next parser would split in its own way:
// such texts are sanitised again until nothing changes (usually twice).
const MAX_PASSES = 5;

/**
 * Returns the allowed part of remote HTML, at most 1 MB and 8,000 tags. Idempotent. Links open in a new window, have
 * rel="nofollow" and show their real host.
 */
export const sanitiseHtml = (html: string): string => {
  let result = tidy(keepAllowed(bounded(html)));
  for (let pass = 1; pass < MAX_PASSES && hasImpliedEnds(result); pass++) {
    result = tidy(keepAllowed(result));
  }
  return result;
};
