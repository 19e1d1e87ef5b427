// The texts of mails, notifications and pages, from the catalogue (texts/).

import { escapeHtml, html as template, raw } from "./html.ts";
import type { Html, HtmlValue } from "./html.ts";
import { messagesOf } from "../../../texts/catalogue.ts";
import { ENGLISH } from "../../../texts/english.ts";
import type { Key } from "../../../texts/english.ts";
import { chooseLanguage } from "../../../texts/languages.ts";
import type { Language } from "../../../texts/languages.ts";
import { translator } from "../../../texts/translate.ts";
import type { Translate, Values } from "../../../texts/translate.ts";

export type { Key } from "../../../texts/english.ts";
export type { Language } from "../../../texts/languages.ts";
export type { Values } from "../../../texts/translate.ts";

export type Say = Translate<Key>;

export const isKey = (text: string): text is Key => Object.hasOwn(ENGLISH, text);

/** Returns the keys that begin with this area: `audit` for `audit.…`. */
export const keysIn = (area: string): Key[] =>
  (Object.keys(ENGLISH) as Key[]).filter((key) => key.startsWith(`${area}.`));

/** A message that is translated where the reader is known. */
export type Said = { key: Key; values: Values };

export const says = (key: Key, values: Values = {}): Said => ({ key, values });

export type Texts = { language: Language; t: Say };

/** Texts that were read, one for each language. */
const loaded = new Map<Language, Texts>();

const load = (language: Language): Texts => {
  const known = loaded.get(language);
  if (known) return known;
  const own = language === "en" ? ENGLISH : messagesOf(language);
  const texts = { language, t: translator(language, own, ENGLISH) };
  loaded.set(language, texts);
  return texts;
};

// Characters for private use stand for values, because no text has them.
const FIRST = 0xe000;
const MARKS = /[\uE000-\uE0FF]/g;

/** Fills HTML into the placeholders of a message. */
export const sentence = (t: Say, key: Key, values: Readonly<Record<string, HtmlValue>>): Html => {
  const names = Object.keys(values);
  const placeholders = names.map((name, index) => [name, String.fromCharCode(FIRST + index)]);
  const text = escapeHtml(t(key, Object.fromEntries(placeholders) as Record<string, string>));
  const html = (placeholder: string): string =>
    String(template`${values[names[placeholder.charCodeAt(0) - FIRST]!]}`);
  return raw(text.replaceAll(MARKS, html));
};

/** Returns the texts in the language of the locale, or the first available of several, otherwise in English. */
export const textsIn = (locale: string | readonly string[] | null | undefined): Texts =>
  load(chooseLanguage([locale ?? ""].flat()));

/** Returns the English text, which programs get. */
export const englishOf = ({ key, values }: Said): string => textsIn("en").t(key, values);
