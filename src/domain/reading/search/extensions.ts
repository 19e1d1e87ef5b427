// What searching adds to the API; it is all in parameters.

import type { Extension } from "../../../platform/http/extension.ts";

/** Searches for posts by more operators, in other forms of the words, in the order of `sort`. */
export const searchOperators: Extension = { name: "search_operators" };

/** People by what they write about themselves. */
export const searchBios: Extension = { name: "search_bios" };
