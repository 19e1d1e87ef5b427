// Describes the addition to the API for keywords of filters in which `*` stands for any letters.

import type { Extension } from "../../../platform/http/extension.ts";

export const filterWildcards: Extension = {
  name: "filter_wildcards",
  members: { "FilterKeyword.wildcards": { type: "boolean" } },
};
