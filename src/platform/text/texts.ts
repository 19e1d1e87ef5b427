// The texts of mails, notifications and the pages that the server draws itself, from the catalogue (texts/).

import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import en from "../../../texts/en/server.ts";
import { ALL_LANGUAGES, PAGE_LANGUAGES, chooseLanguage } from "../../../texts/languages.ts";
import type { Language } from "../../../texts/languages.ts";
import { translator } from "../../../texts/translate.ts";
import type { Messages, Translate } from "../../../texts/translate.ts";

export type { Language } from "../../../texts/languages.ts";
export type { Values } from "../../../texts/translate.ts";

export type Key = keyof typeof en;
export type Say = Translate<Key>;

/** What is said in a language. */
export type Texts = { language: Language; t: Say };

const FOLDER = fileURLToPath(new URL("../../../texts/", import.meta.url));

const messagesOf = (language: Language): Messages<Key> => {
  const folder = join(FOLDER, language);
  const areas = globSync("*.json", { cwd: folder });
  return Object.assign(
    {},
    ...areas.map((area) => JSON.parse(readFileSync(join(folder, area), "utf8")) as Messages<Key>),
  );
};

/** Read once: one for each language. */
const loaded = new Map<Language, Texts>();

const load = (language: Language): Texts => {
  const known = loaded.get(language);
  if (known) return known;
  const own = language === "en" ? en : messagesOf(language);
  const texts = { language, t: translator(language, own, en) };
  loaded.set(language, texts);
  return texts;
};

/** Of mails and notifications: in the language of the locale, message by message in English where it lacks one. */
export const textsIn = (locale: string | null | undefined): Texts =>
  load(chooseLanguage([locale ?? ""], ALL_LANGUAGES));

/** Of pages: in the first of the preferred languages that pages are in. */
export const pageTexts = (preferred: readonly string[]): Texts =>
  load(chooseLanguage(preferred, PAGE_LANGUAGES));
