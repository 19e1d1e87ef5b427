// Reads the article that a page describes in JSON-LD. https://schema.org/Article

import { isRecord, listOf, parseRecord, textOf } from "../../../platform/json/read.ts";
import type { Json } from "../../../platform/json/read.ts";
import { PAGE_LIMITS } from "./limits.ts";

export type Article = {
  headline: string;
  description: string;
  image: string;
  authorName: string;
  authorUrl: string;
  publisher: string;
  published: string;
  language: string;
};

const ARTICLE = /(?:Article|Posting|Report|WebPage|VideoObject)$/;

const typesOf = (item: Json): string[] =>
  listOf(item["@type"], 10).filter((type) => typeof type === "string");

/** A list at the top level is allowed, too. */
const itemsOf = (text: string): Json[] => {
  const top = parseRecord(`{"items":${text}}`);
  const items = listOf(top?.["items"], PAGE_LIMITS.jsonLdItems).filter(isRecord);
  return items.flatMap((item) => [
    item,
    ...listOf(item["@graph"], PAGE_LIMITS.jsonLdItems).filter(isRecord),
  ]);
};

const firstOf = (value: unknown): unknown => listOf(value, 1)[0];

/** Returns a name given as text, or as that of an object. */
const nameOf = (value: unknown): string => {
  const first = firstOf(value);
  return textOf(isRecord(first) ? firstOf(first["name"]) : first) ?? "";
};

const urlOf = (value: unknown): string => {
  const first = firstOf(value);
  return textOf(isRecord(first) ? firstOf(first["url"]) : first) ?? "";
};

const isAddress = (text: string): boolean => /^https?:/i.test(text);

const articleOf = (item: Json): Article => {
  const author = firstOf(item["author"]);
  const name = nameOf(author);
  return {
    headline: nameOf(item["headline"] ?? item["name"]),
    description: nameOf(item["description"]),
    image: urlOf(item["image"] ?? item["thumbnailUrl"]),
    authorName: isAddress(name) ? "" : name,
    authorUrl: isRecord(author) ? urlOf(author["url"]) : isAddress(name) ? name : "",
    publisher: nameOf(item["publisher"]),
    published: textOf(item["datePublished"] ?? item["uploadDate"]) ?? "",
    language: nameOf(item["inLanguage"]),
  };
};

/** Returns the first article in these texts, else the first page as such; null where there is neither. */
export const articleIn = (texts: string[]): Article | null => {
  const items = texts
    .flatMap(itemsOf)
    .filter((item) => typesOf(item).some((type) => ARTICLE.test(type)));
  const article = items.find((item) => !typesOf(item).includes("WebPage")) ?? items[0];
  return article ? articleOf(article) : null;
};
