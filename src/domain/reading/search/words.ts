// Splits text into the words of the index, in the same way for statuses and queries, in every language: folded, without
// stop words; in scripts without spaces every two neighbouring characters are a word (docs/design/search.md). Chooses
// stemmers as well, by which a search for `running` also finds "runs": they are PostgreSQL's.

/** A word and its position; neighbours have neighbouring positions. */
export type Word = { text: string; at: number };

/** Words of a text that are indexed (positions in a tsvector end at 16,383), and characters of a word. */
const MAX_WORDS = 3000;
const MAX_LENGTH = 80;

/** Matches scripts without spaces between words, or with suffixes that are not separated. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}" +
  "\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\u30fc";
const RUNS = new RegExp(
  `(?<unspaced>[${UNSPACED}]+)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+|\\p{Extended_Pictographic}`,
  "gu",
);

/** Maps letters that Unicode does not decompose into a letter and a mark. */
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Folds case, width and accents (of Latin, Greek and Cyrillic letters). */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter]!);

/** Returns each character with its neighbour; the last one alone. */
const pairs = (run: string): string[] => {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ""));
};

const ASCII = /^[\0-\x7f]*$/;

/** Takes a fast path, a third of the time, since most texts need only lower case. */
const plainWords = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];

const foldedWords = (text: string): string[] => {
  const words: string[] = [];
  for (const match of fold(text).matchAll(RUNS)) {
    if (match.groups?.["unspaced"]) words.push(...pairs(match[0]));
    else words.push(match[0]);
    if (words.length >= MAX_WORDS) break;
  }
  return words;
};

/** Returns words between spaces, in lower case with their accents, in order, as stemmers understand them. */
export const plainRuns = (text: string): string[] => {
  if (ASCII.test(text)) return plainWords(text);
  const runs = text.normalize("NFKC").toLowerCase().matchAll(RUNS);
  return [...runs].filter(({ groups }) => !groups?.["unspaced"]).map(([run]) => run);
};

/** Returns the words of a text in order; `from` is the position of the first one. */
export const wordsOf = (text: string, from = 1): Word[] => {
  const words = ASCII.test(text) ? plainWords(text) : foldedWords(text);
  return words
    .slice(0, MAX_WORDS)
    .map((word, index) => ({ text: word.slice(0, MAX_LENGTH).toWellFormed(), at: from + index }));
};

/** Returns the text of a tsvector. Marks are not words: they begin with = (and stems with ~), and have no position. */
export const vectorText = (words: Word[], marks: string[]): string => {
  const places = new Map<string, number[]>();
  for (const { text, at } of words) {
    const known = places.get(text);
    if (known) known.push(at);
    else places.set(text, [at]);
  }
  const parts = [...places].map(([text, at]) => `'${text}':${at.slice(0, 200).join(",")}`);
  return [...parts, ...marks.map((mark) => `'${mark}'`)].join(" ");
};

const isUnspaced = new RegExp(`^[${UNSPACED}]$`, "u");

/**
 * Returns the tsquery of this text as a phrase: all its words beside each other. Null without any word. One character
 * of an unspaced script is matched as the prefix of a pair; a longer run by its pairs, without the last single
 * character, which adds nothing.
 */
export const phraseQuery = (text: string): string | null => {
  const words = wordsOf(text);
  const terms = words.flatMap(({ text: word }, index) => {
    if (!isUnspaced.test(word)) return [`'${word}'`];
    const before = words[index - 1]?.text ?? "";
    return before.length > word.length && before.endsWith(word) ? [] : [`'${word}':*`];
  });
  return terms.length === 0 ? null : `(${terms.join(" <-> ")})`;
};

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
