// Reads custom emojis of other servers from the `tag` of an object or an actor.

import { httpUrl, isRecord, linkOf, listOf, textOf, typesOf } from "../../../platform/json/read.ts";
import { EMOJI_LIMITS } from "../../../platform/remote-limits.ts";
import { bytesOf, firstWithin } from "../../../platform/text/cut.ts";

type ParsedEmoji = { shortcode: string; url: string; static_url: string };

const MAX_READ = 1000;
/** Also accepts the hyphens that other software allows, and the server of an emoji that is passed on (Iceshrimp). */
const SHORTCODE = new RegExp(`^:?([A-Za-z0-9_-]{1,${EMOJI_LIMITS.shortcode}})(?:@[^:]+)?:?$`);

const sizeOf = ({ shortcode, url, static_url }: ParsedEmoji): number =>
  shortcode.length + bytesOf(url) + bytesOf(static_url);

const emojiOf = (item: unknown): ParsedEmoji[] => {
  if (!isRecord(item) || !typesOf(item).includes("Emoji")) return [];
  const { name, icon } = item;
  const shortcode = SHORTCODE.exec(textOf(name) ?? "")?.[1];
  const [picture] = listOf(icon, 1);
  const url = isRecord(picture)
    ? linkOf(picture["url"] ?? picture["href"], "image")
    : httpUrl(picture);
  return shortcode && url ? [{ shortcode, url, static_url: url }] : [];
};

/** Returns the emojis among the tags, each shortcode once, within the limits. */
export const emojisOf = (tag: unknown): ParsedEmoji[] => {
  const emojis = listOf(tag, MAX_READ).flatMap(emojiOf);
  const distinct = [...new Map(emojis.map((emoji) => [emoji.shortcode, emoji])).values()];
  return firstWithin(distinct.slice(0, EMOJI_LIMITS.count), EMOJI_LIMITS.bytes, sizeOf);
};
