// Messages of the catalogue: `t("post.replies", { count: 3 })`. A message is a text, or, where a number decides, one for
// each plural form of the language. A language that lacks a message falls back to English.

import { isFromTheRight } from "./direction.ts";

export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Messages<Key extends string = string> = Partial<Record<Key, Message>>;
export type Values = Readonly<Record<string, string | number>>;
export type Translate<Key extends string = string> = (key: Key, values?: Values) => string;

const plurals = new Map<string, Intl.PluralRules>();
const numbers = new Map<string, Intl.NumberFormat>();

/** Making one takes milliseconds: it is made when it is needed, once for a language. */
export const madeOnce = <T>(made: Map<string, T>, language: string, make: () => T): T => {
  const known = made.get(language) ?? make();
  made.set(language, known);
  return known;
};

const pluralOf = (language: string, count: number): Intl.LDMLPluralRule =>
  madeOnce(plurals, language, () => new Intl.PluralRules(language)).select(count);

/** Numbers are written as the language does: give one as a text where it is no number to read. */
const shown = (value: string | number, language: string): string =>
  typeof value === "number"
    ? madeOnce(numbers, language, () => new Intl.NumberFormat(language)).format(value)
    : value;

/** What is in order by itself, as `mill.example`, or has no marks because it is copied: paths and addresses of pages. */
const UNMARKED = /^$|\/|^[a-z]([\w.@-]*[a-z\d])?$/i;

/**
 * Gives a value a direction of its own: in a line from the right, the @ of a handle and the minus of a number would
 * stand behind it.
 */
const isolated = (value: string): string => (UNMARKED.test(value) ? value : `\u2068${value}\u2069`);

/** `{name}` becomes the value of that name. */
const fill = (text: string, values: Values, language: string): string =>
  text.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    if (!Object.hasOwn(values, name)) return place;
    const value = values[name]!;
    const isText = typeof value === "string";
    return isText && isFromTheRight(language) ? isolated(value) : shown(value, language);
  });

/** `own`: the messages of the language. `english`: all of them. */
export const translator =
  <Key extends string>(
    language: string,
    own: Messages<Key>,
    english: Record<Key, Message>,
  ): Translate<Key> =>
  (key, values) => {
    const message = own[key];
    const spoken = message === undefined ? "en" : language;
    const found: Message = message ?? english[key];
    if (typeof found === "string") return values ? fill(found, values, spoken) : found;
    const form = pluralOf(spoken, Number(values?.["count"] ?? 0));
    return fill(found[form] ?? found.other ?? "", values ?? {}, spoken);
  };
