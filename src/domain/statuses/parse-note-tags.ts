// The `tag` of a remote object: mentions, hashtags and custom emojis, each bounded in number.

import { httpUrl, isRecord, listOf, textOf, typesOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { STATUS_LIMITS } from "../../platform/remote-limits.ts";
import { bytesOf, firstWithin } from "../../platform/text/cut.ts";
import { displayTag, isTagName } from "../../platform/text/tags.ts";
import type { EmojiRow } from "../emojis/tables.ts";
import { emojisOf } from "../emojis/parse.ts";

const MAX_READ = 1000;

/** Some write the types that are of no base context with a prefix (Owncast: toot:Hashtag). */
const ofType = (items: unknown[], type: string): Json[] =>
  items
    .filter(isRecord)
    .filter((item) => typesOf(item).some((one) => one === type || one.endsWith(`:${type}`)));

const hashtagOf = (item: Json): string[] => {
  const name = displayTag((textOf(item["name"]) ?? "").slice(0, 1000).replace(/^#/, ""));
  return isTagName(name) ? [name] : [];
};

export type NoteTags = { mentionUris: string[]; hashtags: string[]; emojis: EmojiRow[] };

export const tagsOf = (tag: unknown): NoteTags => {
  const items = listOf(tag, MAX_READ);
  const mentions = ofType(items, "Mention").flatMap((item) => httpUrl(item["href"]) ?? []);
  const hashtags = ofType(items, "Hashtag").flatMap(hashtagOf);
  const names = [...new Set(hashtags)].slice(0, STATUS_LIMITS.hashtags);
  return {
    mentionUris: [...new Set(mentions)].slice(0, STATUS_LIMITS.mentions),
    hashtags: firstWithin(names, STATUS_LIMITS.hashtagsBytes, bytesOf),
    emojis: emojisOf(items),
  };
};
