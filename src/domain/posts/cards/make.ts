// Makes a card of what a page says about itself: OpenGraph first, then Twitter's tags, JSON-LD, and plain HTML; oEmbed
// decides the kind of page.

import { dateOf, httpUrl } from "../../../platform/json/read.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { sanitiseName } from "../../../platform/text/plain.ts";
import { articleIn } from "./json-ld.ts";
import { CARD_LIMITS as LIMITS } from "./limits.ts";
import type { OEmbed } from "./oembed.ts";
import type { PageFacts } from "./read-page.ts";
import type { CardData } from "./tables.ts";

export type MadeCard = {
  card: CardData;
  /** `name@host` of the author that the page names (`fediverse:creator`). */
  creator: string | null;
};

const firstText = (maxLength: number, ...texts: (string | null | undefined)[]): string => {
  for (const text of texts) {
    const clean = sanitiseName((text ?? "").replace(/\s+/g, " "), maxLength);
    if (clean !== "") return clean;
  }
  return "";
};

/** Returns the first that is an address, made absolute by that of the page. */
const firstUrl = (base: string, ...urls: (string | null | undefined)[]): string | null => {
  for (const url of urls) {
    const href = url ? httpUrl(URL.parse(url, base)?.href) : null;
    if (href) return href;
  }
  return null;
};

const isAddress = (text: string | undefined): boolean => /^https?:/i.test(text ?? "");

/** Reads `@name@host` or `name@host`. */
const creatorOf = (text: string | undefined): string | null =>
  /^@?([\w.-]{1,100}@[\w.:-]{1,261})$/.exec(text?.trim() ?? "")?.[1] ?? null;

/** `base` is the address at which the page was found. Returns null where the page does not even have a title. */
export const makeCard = (
  { meta, title, language, jsonLd }: PageFacts,
  oEmbed: OEmbed | null,
  base: string,
): MadeCard | null => {
  const article = articleIn(jsonLd);
  const of = (name: string) => meta.get(name);
  const heading = firstText(
    LIMITS.title,
    of("og:title"),
    of("twitter:title"),
    article?.headline,
    title,
    oEmbed?.title,
  );
  if (heading === "") return null;
  const author = [of("author"), of("article:author")].find((name) => name && !isAddress(name));
  const published = dateOf(of("article:published_time")) ?? dateOf(article?.published);
  const image = firstUrl(
    base,
    of("og:image:secure_url"),
    of("og:image"),
    of("og:image:url"),
    of("twitter:image"),
    of("twitter:image:src"),
    oEmbed?.image,
    article?.image,
  );
  const card: CardData = {
    type: oEmbed?.type ?? "link",
    title: heading,
    description: firstText(
      LIMITS.description,
      of("og:description"),
      of("twitter:description"),
      article?.description,
      of("description"),
    ),
    author_name: firstText(LIMITS.name, article?.authorName, author, oEmbed?.authorName),
    author_url:
      firstUrl(base, article?.authorUrl, oEmbed?.authorUrl) ??
      (isAddress(of("article:author")) ? (firstUrl(base, of("article:author")) ?? "") : ""),
    provider_name: firstText(
      LIMITS.name,
      of("og:site_name"),
      oEmbed?.providerName,
      article?.publisher,
    ),
    provider_url: firstUrl(base, oEmbed?.providerUrl) ?? "",
    html: oEmbed?.html ?? "",
    embed_url: oEmbed?.embedUrl ?? "",
    width: oEmbed?.width ?? 0,
    height: oEmbed?.height ?? 0,
    language:
      normaliseLanguage(article?.language) ??
      normaliseLanguage(language) ??
      normaliseLanguage(of("og:locale")),
    published_at: published?.toISOString() ?? null,
    image_description: firstText(
      LIMITS.imageDescription,
      of("og:image:alt"),
      of("twitter:image:alt"),
    ),
    blurhash: null,
    image_url: image,
  };
  return { card, creator: creatorOf(of("fediverse:creator")) };
};
