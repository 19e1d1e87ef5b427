// Lists in the words of a language: "a, b and c", and names in the order of its alphabet.

import { madeOnce } from "./translate.ts";

const lists = new Map<string, Intl.ListFormat>();
const collators = new Map<string, Intl.Collator>();

const listFormat = (language: string): Intl.ListFormat =>
  madeOnce(lists, language, () => new Intl.ListFormat(language));

/** Formats "a, b and c". */
export const listed = (language: string, names: readonly string[]): string =>
  listFormat(language).format(names);

/** Returns the same of what is no text: each of them, and the words between them. */
export const listedWith = <T>(language: string, items: readonly T[]): (T | string)[] => {
  const places = items.map((_item, place) => String(place));
  return listFormat(language)
    .formatToParts(places)
    .map(({ type, value }) => (type === "element" ? items[Number(value)]! : value));
};

/** Sorts by names: digits by their number, and letters as the language's dictionaries do. */
export const byName = <T>(
  language: string,
  items: readonly T[],
  nameOf: (item: T) => string,
): T[] => {
  const { compare } = madeOnce(
    collators,
    language,
    () => new Intl.Collator(language, { numeric: true }),
  );
  return items.toSorted((a, b) => compare(nameOf(a), nameOf(b)));
};
