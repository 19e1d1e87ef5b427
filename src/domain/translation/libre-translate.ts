// LibreTranslate, which an administrator may run on the same machine. https://docs.libretranslate.com/

import { isRecord, listOf, textOf } from "../../platform/json/read.ts";
import { normaliseLanguage } from "../../platform/text/language.ts";
import { askService, away } from "./ask.ts";
import type { Languages, Provider } from "./provider.ts";

export type LibreTranslateConfig = { endpoint: string; apiKey: string | null };

const languagesOf = (answer: unknown): Languages => {
  const all = listOf(answer, 500).filter(isRecord);
  const found: Languages = {};
  for (const { code, targets } of all) {
    const source = normaliseLanguage(textOf(code));
    if (!source) continue;
    const codes = listOf(targets, 500).flatMap((one) => normaliseLanguage(textOf(one)) ?? []);
    found[source] = [...new Set(codes)].filter((one) => one !== source);
  }
  if (Object.keys(found).length > 0) found["und"] = [...new Set(Object.values(found).flat())];
  return found;
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
    const found = isRecord(answer) ? listOf(answer["translatedText"]) : [];
    if (!isRecord(answer) || found.length !== texts.length) throw away();
    return { texts: found.map((text) => textOf(text) ?? ""), source: source ?? sourceOf(answer) };
  },
});
