// Translates statuses, with a cache of translations, and knows the supported languages.

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { DomainError, Forbidden, Unprocessable, nullOn } from "../../../platform/errors.ts";
import { cached } from "../../../platform/kv/cached.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import { openTo } from "../statuses/visibility.ts";
import { away } from "./ask.ts";
import { deepl } from "./deepl.ts";
import { libreTranslate } from "./libre-translate.ts";
import type { Languages, Order, Provider, Translated } from "./provider.ts";
import { partsOf, textsOf } from "./texts.ts";
import type { TranslatedParts } from "./texts.ts";

const LANGUAGES_SECONDS = 24 * 3600;
const ANSWER_SECONDS = 24 * 3600;
/** Characters of the longest text, since services charge by the character. */
const MAX_CHARACTERS = 50_000;

/** Returns null when none is configured; DeepL when both are. */
const providerOf = (app: App): Provider | null => {
  const { translation } = app.config;
  if (translation.deepl) return deepl(translation.deepl);
  return translation.libreTranslate ? libreTranslate(translation.libreTranslate) : null;
};

const languagesOf = (app: App, provider: Provider): Promise<Languages> =>
  cached(app, `translation-languages:${provider.name}`, LANGUAGES_SECONDS, () =>
    provider.languages(app),
  );

/** Maps source languages to target languages; empty while no service answers. */
export const translationLanguages = async (app: App): Promise<Languages> => {
  const provider = providerOf(app);
  if (!provider) return {};
  const isDown = (error: unknown): boolean => error instanceof DomainError;
  return (await nullOn(isDown, languagesOf(app, provider))) ?? {};
};

export type Translation = TranslatedParts & {
  language: string;
  detectedSourceLanguage: string;
  provider: string;
};

const checkStatus = (view: SeenStatus): void => {
  if (!openTo("world", view)) throw new Forbidden();
};

/** Returns a regional language code, and the code without its region. */
const codesOf = (code: string): string[] => [...new Set([code, code.split("-")[0]!])];

/** Returns the codes that the service uses for the two languages. */
const choosePair = async (
  app: App,
  provider: Provider,
  { language }: SeenStatus,
  target: string,
): Promise<{ source: string | null; target: string }> => {
  const languages = await languagesOf(app, provider);
  const code = normaliseLanguage(target);
  for (const target of code ? codesOf(code) : []) {
    const sources = language ? codesOf(language) : ["und"];
    const source = sources.find((code) => languages[code]?.includes(target));
    if (source) return { source: source === "und" ? null : source, target };
  }
  throw new Unprocessable("Validation failed: Translation into this language is not available");
};

/** Asks the service for the translation of the texts that are not empty. */
const ask = async (app: App, provider: Provider, order: Order): Promise<Translated> => {
  const full = order.texts.filter((text) => text !== "");
  const answer = await provider.translate(app, { ...order, texts: full });
  let next = 0;
  const texts = order.texts.map((text) => (text === "" ? "" : answer.texts[next++]!));
  return { ...answer, texts };
};

const keyOf = (provider: Provider, order: Order): string =>
  `translation:${createHash("sha256")
    .update(JSON.stringify([provider.name, order]))
    .digest("base64url")}`;

/**
 * Returns the translated texts of a status that its viewer may see, in the requested language or the viewer's. Throws
 * Forbidden for a status that is not public, Unprocessable for an unsupported pair of languages or too much text,
 * Unavailable without a service that answers.
 */
export const translateStatus = async (
  app: App,
  view: SeenStatus,
  { lang, locale }: { lang: string | null | undefined; locale: string },
): Promise<Translation> => {
  checkStatus(view);
  const provider = providerOf(app);
  if (!provider) throw away();
  const pair = await choosePair(app, provider, view, lang || locale);
  const order = { texts: textsOf(view), ...pair };
  if (order.texts.join("").length > MAX_CHARACTERS) {
    throw new Unprocessable("Validation failed: The post is too long to translate");
  }
  const answer = await cached(app, keyOf(provider, order), ANSWER_SECONDS, () =>
    ask(app, provider, order),
  );
  return {
    ...partsOf(view, answer.texts),
    language: pair.target,
    detectedSourceLanguage: answer.source ?? view.language ?? "und",
    provider: provider.name,
  };
};
