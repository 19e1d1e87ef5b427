// Searches for people who want to be discovered, by words or parts of words in what they write about themselves.

import type { App } from "../../../platform/app.ts";
import { within } from "../../../platform/db/index.ts";
import { isListed, listAccounts } from "./load.ts";
import { selectByBio } from "./queries-bios.ts";
import type { AccountView } from "./tables.ts";

/** Letters of the shortest word, since trigrams find nothing shorter. */
const MIN_LETTERS = 3;
const MAX_WORDS = 8;
/** Milliseconds after which a search is given up and finds nothing. */
const TIMEOUT_MS = 1000;

type BioInput = { viewerId: string; q: string; limit: number; offset: number };

/** Returns the words that can be searched for; shorter ones are left out. */
const wordsOf = (q: string): string[] =>
  [...new Set(q.normalize("NFC").split(/[\s"#@]+/u))]
    .filter((word) => [...word].length >= MIN_LETTERS)
    .slice(0, MAX_WORDS);

export const searchBios = async (
  app: App,
  { viewerId, q, limit, offset }: BioInput,
): Promise<AccountView[]> => {
  const words = wordsOf(q);
  if (words.length === 0 || limit === 0) return [];
  const search = { viewerId, words, limit, offset };
  const ids = await within(app.sql, TIMEOUT_MS, (tx) => selectByBio(tx, search));
  return (await listAccounts(app, ids ?? [])).filter(isListed);
};
