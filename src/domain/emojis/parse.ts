// Custom emojis of other servers, from the `tag` of an object or an actor.

import { isRecord, linkOf, listOf, textOf, typesOf } from "../../platform/json/read.ts";

export type ParsedEmoji = { shortcode: string; url: string; static_url: string };

const MAX_READ = 1000;
const MAX_EMOJIS = 100;
const SHORTCODE = /^:?([A-Za-z0-9_]{1,128}):?$/;

const emojiOf = (item: unknown): ParsedEmoji[] => {
  if (!isRecord(item) || !typesOf(item).includes("Emoji")) return [];
  const { name, icon } = item;
  const shortcode = SHORTCODE.exec(textOf(name) ?? "")?.[1];
  const url = isRecord(icon) ? linkOf(icon["url"] ?? icon["href"], "image") : null;
  return shortcode && url ? [{ shortcode, url, static_url: url }] : [];
};

/** The emojis among the tags, each shortcode once, at most 100. */
export const emojisOf = (tag: unknown): ParsedEmoji[] => {
  const found = listOf(tag, MAX_READ).flatMap(emojiOf);
  return [...new Map(found.map((emoji) => [emoji.shortcode, emoji])).values()].slice(0, MAX_EMOJIS);
};
