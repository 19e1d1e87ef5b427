// Language tags and the list of languages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { normaliseLanguage } from "./language.ts";
import { LANGUAGE_ALIASES, LANGUAGE_CODES, REGIONAL_LANGUAGES, listedName } from "./languages.ts";

const rows: [tag: string | null | undefined, code: string | null][] = [
  ["en", "en"],
  ["EN", "en"],
  ["en-US", "en"],
  [" de ", "de"],
  ["PT_br", "pt-BR"],
  ["zh-TW", "zh-TW"],
  ["zh-Hant-TW", "zh-TW"],
  ["zh-Hans", "zh-CN"],
  ["zh", "zh"],
  ["yue", "zh-YUE"],
  ["eng", "en"],
  ["deu", "de"],
  ["iw", "he"],
  ["fil", "tl"],
  ["tl", "tl"],
  ["sr-Latn-RS", "sr-Latn"],
  ["tok", "tok"],
  ["xx", null],
  ["und", null],
  ["", null],
  [null, null],
  [undefined, null],
  ["-", null],
  ["en'; DROP", null],
  ["constructor", null],
  [`en-${"a".repeat(100)}`, null],
];
for (const [tag, code] of rows) {
  test(String(tag).slice(0, 30), () => assert.equal(normaliseLanguage(tag), code));
}

test("the list has the codes and names of the recording, each once", () => {
  const file = new URL("../../../test/golden/rest.json", import.meta.url);
  const { exchanges } = JSON.parse(readFileSync(file, "utf8"));
  const recorded = exchanges.find(
    ({ request }: { request: { path: string } }) => request.path === "/api/v1/instance/languages",
  ).response.json as { code: string; name: string }[];
  assert.deepEqual(
    LANGUAGE_CODES.map((code) => ({ code, name: listedName(code) })),
    recorded,
  );
  assert.equal(new Set(LANGUAGE_CODES).size, LANGUAGE_CODES.length);
});

test("every code finds itself", () => {
  const codes = [...LANGUAGE_CODES, ...REGIONAL_LANGUAGES];
  for (const code of [...codes, ...Object.values(LANGUAGE_ALIASES)])
    assert.equal(normaliseLanguage(code), code);
});
