// Describes the addition to the API for keywords of filters in which `*` stands for any letters.

import { FLAG } from "../../../platform/http/extension.ts";
import type { Extension } from "../../../platform/http/extension.ts";

export const filterWildcards: Extension = {
  name: "filter_wildcards",
  members: { "FilterKeyword.wildcards": FLAG },
};
