// Types of the texts of the server's own pages. Only types, because the server imports them too.

import type { Key } from "../../../texts/english.ts";
import type { Values } from "../../../texts/translate.ts";

export type { Key };

/** A text by its key, with values if it has some, or words that somebody wrote. */
export type Words = Key | readonly [key: Key, values: Values] | { plain: string };

export type Link = readonly [path: string, text: Words];
