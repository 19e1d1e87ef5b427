// Parses names of hashtags, and has limits and the days of a history. Without I/O.

import { isTagName, normaliseTag } from "../../../platform/text/tags.ts";

/** Featured tags of a person (limits.json of the contract, account.featured_tags). */
export const MAX_FEATURED_TAGS = 10;
/** Suggested tags (limits.json of the contract, account.featured_tag_suggestions). */
export const MAX_SUGGESTIONS = 10;
/** Days of a tag's history, including today. */
export const HISTORY_DAYS = 7;

export type TagName = { name: string; display: string };

/** Returns the case-folded key and the name as written; null for an invalid name. */
export const parseTagName = (text: string): TagName | null => {
  if (!isTagName(text)) return null;
  const name = normaliseTag(text);
  return name === "" ? null : { name, display: text };
};

/** Parses a tag as typed into a form, perhaps with # and spaces around it. */
export const parseTypedTag = (text: string): TagName | null =>
  text.length > 1000 ? null : parseTagName(text.trim().replace(/^[#\uff03]/, ""));

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the days of a history, newest first, as midnights in UTC. */
export const historyDays = (now: Date): Date[] => {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: HISTORY_DAYS }, (_, index) => new Date(today - index * DAY_MS));
};
