// A fake translation service on loopback, with the APIs of LibreTranslate and DeepL: "translates" a text by
// putting it in brackets, and records its requests.

import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type TranslationRequest = { path: string; headers: IncomingMessage["headers"]; body: any };

export type FakeTranslator = {
  origin: string;
  requests: TranslationRequest[];
  /** The answer of the translator, and the function that translates. */
  answer: { status: number; hang: boolean; translate: (text: string, target: string) => string };
  close(): Promise<void>;
};

const CODES = ["de", "en", "fr"];

const usual = (text: string, target: string): string =>
  text.replace(
    /(^|>)([^<]+)/g,
    (_, before: string, words: string) => `${before}[${target}: ${words}]`,
  );

const bodyOf = async (request: IncomingMessage): Promise<any> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? null : JSON.parse(text);
};

const ANSWERS: Record<
  string,
  (body: any, translate: (text: string, to: string) => string) => unknown
> = {
  "/languages": () => CODES.map((code) => ({ code, name: code, targets: CODES })),
  "/translate": ({ q, target, source }, translate) => ({
    translatedText: q.map((text: string) => translate(text, target)),
    ...(source === "auto" && {
      detectedLanguage: q.map(() => ({ language: "de", confidence: 90 })),
    }),
  }),
  "/v2/languages?type=source": () => CODES.map((code) => ({ language: code.toUpperCase() })),
  "/v2/languages?type=target": () =>
    ["DE", "EN-GB", "EN-US", "FR"].map((language) => ({ language })),
  "/v2/translate": ({ text, target_lang, source_lang = "DE" }, translate) => ({
    translations: text.map((line: string) => ({
      detected_source_language: source_lang,
      text: translate(line, target_lang),
    })),
  }),
};

export const startTranslator = async (): Promise<FakeTranslator> => {
  const requests: TranslationRequest[] = [];
  const answer = { status: 200, hang: false, translate: usual };
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const body = await bodyOf(request);
    requests.push({ path, headers: request.headers, body });
    if (answer.hang) return;
    const answered = ANSWERS[path]?.(body, answer.translate);
    response.writeHead(answered ? answer.status : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answered ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
