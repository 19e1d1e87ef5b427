// Reads what a page says about itself in <meta>, <link>, <title> and JSON-LD, the first of each kind. Pages are
// hostile: however large, deep or broken one is, reading it takes a bounded time.

import { Parser } from "htmlparser2";
import { firstTags } from "../../../platform/text/first-tags.ts";
import { PAGE_LIMITS as LIMITS } from "./limits.ts";

/** Names of <meta> whose values are read. */
const WANTED = new Set(
  (
    "og:title og:description og:image og:image:url og:image:secure_url " +
    "og:image:alt og:site_name og:locale twitter:title twitter:description " +
    "twitter:image twitter:image:src twitter:image:alt description author " +
    "article:author article:published_time fediverse:creator"
  ).split(" "),
);

export type PageFacts = {
  meta: Map<string, string>;
  title: string;
  /** Language of the <html> element. */
  language: string;
  /** Address of its oEmbed document, as written. */
  oEmbed: string | null;
  /** Texts of its JSON-LD. */
  jsonLd: string[];
};

type Attributes = Record<string, string>;

const readMeta = (facts: PageFacts, { property, name, content }: Attributes): void => {
  const key = (property ?? name ?? "").trim().toLowerCase();
  const value = content?.trim().slice(0, LIMITS.text);
  if (value && WANTED.has(key) && !facts.meta.has(key)) facts.meta.set(key, value);
};

const readLink = (facts: PageFacts, { rel = "", type = "", href }: Attributes): void => {
  const isOEmbed = /^(?:application|text)\/json\+oembed\b/i.test(type.trim());
  if (isOEmbed && href && /\balternate\b/i.test(rel)) facts.oEmbed ??= href.trim();
};

const isJsonLd = ({ type = "" }: Attributes): boolean =>
  /^application\/ld\+json\b/i.test(type.trim());

export const readPage = (html: string): PageFacts => {
  const facts: PageFacts = { meta: new Map(), title: "", language: "", oEmbed: null, jsonLd: [] };
  let jsonLd = 0;
  /** Element that the text belongs to; an SVG may contain a title, too. */
  let inside: "title" | "json-ld" | null = null;
  let hasTitle = false;
  let drawings = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "html") facts.language ||= attributes["lang"] ?? "";
      else if (name === "meta") readMeta(facts, attributes);
      else if (name === "link") readLink(facts, attributes);
      else if (name === "svg") drawings += 1;
      else if (name === "title" && !hasTitle && drawings === 0) inside = "title";
      else if (name === "script" && isJsonLd(attributes)) {
        inside = "json-ld";
        facts.jsonLd.push("");
      }
    },
    ontext(text) {
      if (inside === "title" && facts.title.length < LIMITS.text) facts.title += text;
      if (inside !== "json-ld") return;
      jsonLd += text.length;
      if (jsonLd <= LIMITS.jsonLd) facts.jsonLd[facts.jsonLd.length - 1] += text;
    },
    onclosetag(name) {
      if (name === "svg") drawings -= 1;
      if (name === "title" && inside === "title") hasTitle = true;
      if (name === "title" || name === "script") inside = null;
    },
  });
  parser.write(firstTags(html, LIMITS.tags));
  // end() is not called, because it would close open elements.
  facts.title = facts.title.slice(0, LIMITS.text);
  return facts;
};
