// The client's texts in a language: its areas of the catalogue (texts/).

import type en from "../../../texts/en/client.ts";
import { PAGE_LANGUAGES, chooseLanguage } from "../../../texts/languages.ts";
import type { PageLanguage } from "../../../texts/languages.ts";
import * as catalogue from "../../../texts/translate.ts";

export type { Values } from "../../../texts/translate.ts";

export type Key = keyof typeof en;
export type Messages = Record<Key, catalogue.Message>;
export type Translate = catalogue.Translate<Key>;

/** Each language is a file, which documents preload. */
const LOADERS: Record<PageLanguage, () => Promise<Messages>> = {
  en: async () => (await import("../../../texts/en/client.ts")).default,
  de: async () => (await import("../../../texts/de/client.ts")).default,
};

export const isKey = (key: string, messages: Messages): key is Key => Object.hasOwn(messages, key);

/** Returns the first of these languages that the client has. */
export const chooseLocale = (preferred: readonly string[]): PageLanguage =>
  chooseLanguage(preferred, PAGE_LANGUAGES);

export const loadMessages = (locale: string): Promise<Messages> =>
  LOADERS[chooseLocale([locale])]();

export const translator = (locale: string, messages: Messages): Translate =>
  catalogue.translator(locale, messages, messages);
