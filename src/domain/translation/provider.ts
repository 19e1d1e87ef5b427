// What a translation service has to offer, and which one is configured.

import type { App } from "../../platform/app.ts";
import { deepl } from "./deepl.ts";
import { libreTranslate } from "./libre-translate.ts";

/** Source language → target languages; `und` where the service finds out. Codes as posts have them. */
export type Languages = Record<string, string[]>;

export type Translated = {
  /** HTML, as the service gave it: not to be trusted. In the order of what was sent. */
  texts: string[];
  /** The language that it found; null: it does not tell. */
  source: string | null;
};

export type Order = {
  /** HTML. */
  texts: string[];
  /** null: to be found out. */
  source: string | null;
  target: string;
};

export type Provider = {
  /** As people see it. */
  name: string;
  /** Throws Unavailable, as `translate` does. */
  languages(app: App): Promise<Languages>;
  translate(app: App, order: Order): Promise<Translated>;
};

/** Null when none is configured; of two DeepL is taken. */
export const providerOf = (app: App): Provider | null => {
  const { translation } = app.config;
  if (translation.deepl) return deepl(translation.deepl);
  return translation.libreTranslate ? libreTranslate(translation.libreTranslate) : null;
};
