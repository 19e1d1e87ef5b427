// Translates with LibreTranslate, which an administrator may run on the same machine. https://docs.libretranslate.com/

import { isRecord, listOf, textOf } from "../../../platform/json/read.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { askService, away } from "./ask.ts";
import type { Languages, Provider } from "./provider.ts";

type LibreTranslateConfig = { endpoint: string; apiKey: string | null };

const languagesOf = (answer: unknown): Languages => {
  const all = listOf(answer, 500).filter(isRecord);
  const languages: Languages = {};
  for (const { code, targets } of all) {
    const source = normaliseLanguage(textOf(code));
    if (!source) continue;
    const codes = listOf(targets, 500).flatMap((target) => normaliseLanguage(textOf(target)) ?? []);
    languages[source] = [...new Set(codes)].filter((code) => code !== source);
  }
  if (Object.keys(languages).length > 0)
    languages["und"] = [...new Set(Object.values(languages).flat())];
  return languages;
};

const sourceOf = (answer: Record<string, unknown>): string | null => {
  const [first] = listOf(answer["detectedLanguage"]);
  return isRecord(first) ? normaliseLanguage(textOf(first["language"])) : null;
};

export const libreTranslate = ({ endpoint, apiKey }: LibreTranslateConfig): Provider => ({
  name: "LibreTranslate",

  languages: async (app) => languagesOf(await askService(app, { url: `${endpoint}/languages` })),

  async translate(app, { texts, source, target }) {
    const answer = await askService(app, {
      url: `${endpoint}/translate`,
      json: {
        q: texts,
        source: source ?? "auto",
        target,
        format: "html",
        ...(apiKey && { api_key: apiKey }),
      },
    });
    const translated = isRecord(answer) ? listOf(answer["translatedText"]) : [];
    if (!isRecord(answer) || translated.length !== texts.length) throw away();
    return {
      texts: translated.map((text) => textOf(text) ?? ""),
      source: source ?? sourceOf(answer),
    };
  },
});
