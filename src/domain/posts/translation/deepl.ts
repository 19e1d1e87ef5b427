// Translates with DeepL, by its free or paid plan. https://developers.deepl.com/docs/api-reference/translate

import { chunks } from "../../../platform/chunks.ts";
import { isRecord, listOf, textOf } from "../../../platform/json/read.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { askService, away } from "./ask.ts";
import type { Languages, Order, Provider } from "./provider.ts";

type DeeplConfig = { endpoint: string; apiKey: string };

/** Texts in one request. */
const MAX_TEXTS = 50;

const codesOf = (answer: unknown): string[] => {
  const codes = listOf(answer, 500).map((entry) =>
    isRecord(entry) ? textOf(entry["language"]) : null,
  );
  const known = codes.flatMap((code) => normaliseLanguage(code) ?? []);
  return [...new Set(known.flatMap((code) => [code, code.split("-")[0]!]))];
};

const matrix = (sources: string[], targets: string[]): Languages =>
  Object.fromEntries(
    ["und", ...sources].map((source) => [source, targets.filter((target) => target !== source)]),
  );

/** Chooses the most common variant of a language with variants. */
const targetCode = (target: string): string =>
  ({ en: "EN-US", pt: "PT-PT" })[target] ?? target.toUpperCase();

export const deepl = ({ endpoint, apiKey }: DeeplConfig): Provider => {
  const headers = { authorization: `DeepL-Auth-Key ${apiKey}` };
  const url = `${endpoint}/v2/translate`;

  const question = ({ source, target }: Order, text: string[]) => ({
    url,
    headers,
    json: {
      text,
      target_lang: targetCode(target),
      ...(source && { source_lang: source.split("-")[0]!.toUpperCase() }),
      tag_handling: "html",
    },
  });

  return {
    name: "DeepL.com",

    async languages(app) {
      const of = (type: string) =>
        askService(app, { url: `${endpoint}/v2/languages?type=${type}`, headers });
      const [sources, targets] = await Promise.all([of("source"), of("target")]);
      return matrix(codesOf(sources), codesOf(targets));
    },

    async translate(app, order) {
      const requests = chunks(order.texts, MAX_TEXTS).map((texts) =>
        askService(app, question(order, texts)),
      );
      const answers = (await Promise.all(requests)).flatMap((answer) =>
        isRecord(answer) ? listOf(answer["translations"]).filter(isRecord) : [],
      );
      if (answers.length !== order.texts.length) throw away();
      const detected = normaliseLanguage(textOf(answers[0]?.["detected_source_language"]));
      return {
        texts: answers.map((translation) => textOf(translation["text"]) ?? ""),
        source: detected ?? order.source,
      };
    },
  };
};
