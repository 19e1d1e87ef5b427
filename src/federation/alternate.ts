// Finds the ActivityPub document of a page by the Link header, or by a <link> near the start of the page.

import type { FetchAnswer } from "../platform/fetch/index.ts";
import { httpUrl } from "../platform/json/read.ts";
import { isActivityType } from "./media-types.ts";

const MAX_PAGE = 256 * 1024;
const MAX_TAGS = 200;
const MAX_TAG = 2000;

const ENTITIES: Record<string, string> = {
  amp: "&",
  quot: '"',
  "#38": "&",
  "#x26": "&",
  "#39": "'",
};

const unescape = (text: string): string =>
  text.replace(
    /&(amp|quot|#38|#x26|#39);/gi,
    (all, name: string) => ENTITIES[name.toLowerCase()] ?? all,
  );

/** Returns the value of `name="value"`, `name='value'` or `name=value` in a tag or in the parameters of a Link. */
export const attribute = (text: string, name: string): string => {
  const match = new RegExp(
    `[\\s;"']${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>;]+))`,
    "i",
  ).exec(text);
  return unescape(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
};

const isAlternate = (text: string): boolean =>
  attribute(text, "rel").toLowerCase().split(/\s+/).includes("alternate") &&
  isActivityType(attribute(text, "type"));

const fromHeader = (header: string): string | null => {
  // A comma within <…> is part of the address.
  for (const [, address = "", rest = ""] of header.slice(0, 8192).matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (isAlternate(`;${rest}`)) return address;
  }
  return null;
};

/** Yields the `<link …>` tags near the start; the work is bounded for every page. */
export function* linkTags(page: string): Generator<string> {
  let from = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const start = page.slice(from).search(/<link[\s/]/i);
    if (start < 0) return;
    const tag = page.slice(from + start, from + start + MAX_TAG);
    yield tag.slice(0, tag.indexOf(">") + 1 || MAX_TAG);
    from += start + 5;
  }
}

const fromPage = (page: string): string | null => {
  for (const tag of linkTags(page)) if (isAlternate(tag)) return attribute(tag, "href");
  return null;
};

/** Returns the absolute address of the document that a page names, or null. */
export const alternateOf = ({ headers, body, url }: FetchAnswer): string | null => {
  const page = body.subarray(0, MAX_PAGE).toString("utf8");
  const named = fromHeader(headers["link"] ?? "") ?? fromPage(page);
  return named ? httpUrl(URL.parse(named, url)?.href) : null;
};
