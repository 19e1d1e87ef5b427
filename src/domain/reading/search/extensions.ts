// Describes additions to the API for searches, all of which are parameters.

import type { Extension } from "../../../platform/http/extension.ts";

/** Searches for posts by more operators, in other forms of the words, in the order of `sort`. */
export const searchOperators: Extension = { name: "search_operators" };

/** Searches for people by what they write about themselves. */
export const searchBios: Extension = { name: "search_bios" };
