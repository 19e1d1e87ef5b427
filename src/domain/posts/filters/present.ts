// Presents filters as JSON entities. https://docs.joinmastodon.org/entities/Filter/

import { isoTime } from "../../../platform/ids/index.ts";
import type {
  FilterMatch,
  FilterRow,
  FilterStatusRow,
  KeywordOfFilter,
  KeywordRow,
} from "./tables.ts";

const filterMembers = (filter: FilterRow) => ({
  id: filter.id,
  title: filter.title,
  context: filter.context,
  expires_at: filter.expires_at && isoTime(filter.expires_at),
  filter_action: filter.action,
});

export const keywordEntity = ({ id, keyword, whole_word, wildcards }: KeywordRow) => ({
  id,
  keyword,
  whole_word,
  ...(wildcards && { wildcards }),
});

export const filterStatusEntity = ({ id, status_id }: FilterStatusRow) => ({ id, status_id });

export const filterEntity = (filter: FilterRow) => ({
  ...filterMembers(filter),
  keywords: filter.keywords.map(keywordEntity),
  statuses: filter.statuses.map(filterStatusEntity),
});

/**
 * Makes the entity of https://docs.joinmastodon.org/entities/FilterResult/; its filter has neither keywords nor
 * statuses.
 */
export const filterResultEntity = ({ filter, words, statusIds }: FilterMatch) => ({
  filter: filterMembers(filter),
  keyword_matches: words === null ? null : [words],
  status_matches: statusIds,
});

/** Makes the entity of https://docs.joinmastodon.org/entities/V1_Filter/ */
export const olderFilterEntity = ({ id, keyword, whole_word, filter }: KeywordOfFilter) => ({
  id,
  phrase: keyword,
  context: filter.context,
  whole_word,
  expires_at: filter.expires_at && isoTime(filter.expires_at),
  irreversible: filter.action === "hide",
});
