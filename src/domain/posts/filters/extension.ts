// What keywords of filters in which `*` stands for any letters add to the API.

import type { Extension } from "../../../platform/http/extension.ts";

export const filterWildcards: Extension = {
  name: "filter_wildcards",
  members: { "FilterKeyword.wildcards": { type: "boolean" } },
};
