// Finds links by which people prove that two pages are theirs. https://microformats.org/wiki/rel-me

import { Parser } from "htmlparser2";
import { firstTags } from "./first-tags.ts";

/** Links of a page; one with more is not a profile. */
const MAX_LINKS = 500;
const MAX_TAGS = 15_000;

const isMe = (rel: string | undefined): boolean =>
  (rel ?? "").toLowerCase().split(/\s+/).includes("me");

/** Returns the absolute URLs of a page's `<a rel="me">` and `<link rel="me">`; `base` is the page's URL. */
export const relMeLinks = (html: string, base: string): string[] => {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { rel, href }) {
      if ((name !== "a" && name !== "link") || !href || !isMe(rel)) return;
      const url = URL.parse(href.trim(), base);
      if (url && links.length < MAX_LINKS) links.push(url.href);
    },
  });
  parser.end(firstTags(html, MAX_TAGS));
  return links;
};

/**
 * Returns the URL of an HTML fragment that is only one link with its own URL as its text. Null for anything else, so
 * that the text cannot claim another page than the verified one.
 */
export const soleLink = (html: string): string | null => {
  let href: string | null = null;
  let depth = 0;
  let links = 0;
  let text = "";
  let outside = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== "a") return;
      depth += 1;
      links += 1;
      href = attributes["href"] ?? null;
    },
    ontext(part) {
      if (depth > 0) text += part;
      else outside += part;
    },
    onclosetag(name) {
      if (name === "a") depth -= 1;
    },
  });
  parser.end(html);
  const isSole = links === 1 && outside.trim() === "" && href !== null && text.trim() === href;
  return isSole && /^https?:\/\//i.test(href!) ? href : null;
};
