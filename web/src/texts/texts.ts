// The texts of the client in a language: `t("post.replies", { count: 3 })`. A message is a text, or, where a number
// decides, one for each plural form of the language. A language that lacks a message falls back to English.

import en from "./en/index.ts";

export type Key = keyof typeof en;
type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Messages = Partial<Record<Key, Message>>;
export type Values = Record<string, string | number>;
export type Translate = (key: Key, values?: Values) => string;

const fill = (text: string, values: Values): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Languages other than English, loaded when they are needed. */
const LANGUAGES: Record<string, () => Promise<{ default: Messages }>> = {
  de: () => import("./de/index.ts"),
};

/** The first of these languages that the client speaks. */
export const chooseLocale = (preferred: readonly string[]): string => {
  for (const tag of preferred) {
    const language = tag.toLowerCase().split("-", 1)[0]!;
    if (language === "en" || Object.hasOwn(LANGUAGES, language)) return language;
  }
  return "en";
};

export const loadMessages = async (locale: string): Promise<Messages> =>
  LANGUAGES[locale] ? (await LANGUAGES[locale]()).default : {};

type Rules = { plural: Intl.PluralRules; number: Intl.NumberFormat };

const rules = new Map<string, Rules>();

/** Made once for a language: the server would make them for every page. */
const rulesOf = (locale: string): Rules => {
  const known = rules.get(locale);
  if (known) return known;
  const made = { plural: new Intl.PluralRules(locale), number: new Intl.NumberFormat(locale) };
  rules.set(locale, made);
  return made;
};

export const translator = (locale: string, messages: Messages): Translate => {
  const { plural, number } = rulesOf(locale);
  const { plural: english } = rulesOf("en");
  return (key, values = {}) => {
    const own = messages[key];
    const message: Message = own ?? en[key];
    if (typeof message === "string") return fill(message, values);
    const count = Number(values["count"] ?? 0);
    const form = (own ? plural : english).select(count);
    const shown = { ...values, count: number.format(count) };
    return fill(message[form] ?? message.other ?? "", shown);
  };
};
