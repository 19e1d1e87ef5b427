// Chooses stemmers: a search for `running` also finds "runs". The stemmers are PostgreSQL's; this file says which
// language has which one, and which words of a text they get (docs/design/search.md).

import { plainRuns } from "./words.ts";

/** The dictionaries of PostgreSQL 14 and later; a missing one stems nothing. */
const STEMMERS: Record<string, string> = {
  ar: "arabic",
  ca: "catalan",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  et: "estonian",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "hindi",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nb: "norwegian",
  ne: "nepali",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  yi: "yiddish",
};

const MAX_STEMMED = 1000;

/**
 * Returns the name of PostgreSQL's dictionary for a language or one of its regional forms; null where there is none.
 */
export const stemmerOf = (language: string | null): string | null => {
  const name = language === null ? undefined : STEMMERS[language.toLowerCase().split("-")[0]!];
  return name === undefined ? null : `${name}_stem`;
};

/** Returns the words of these texts for a stemmer: each once, with its accents, which it needs. */
export const stemmable = (texts: readonly string[]): string[] => {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of plainRuns(text)) {
      if (word.length > 2 && words.size < MAX_STEMMED) words.add(word);
    }
  }
  return [...words];
};
