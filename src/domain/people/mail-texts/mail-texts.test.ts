// Mails about accounts in all languages: each has every text, with the places of the English one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAIL_LANGUAGES, mailTextsIn } from "./texts.ts";

/** Every text by its path, with the names of its places. */
const placesIn = (words: object, path = ""): Record<string, string> =>
  Object.fromEntries(
    Object.entries(words).flatMap(([name, value]) =>
      typeof value === "string"
        ? [[`${path}${name}`, (value.match(/\{\w+\}/g) ?? []).toSorted().join(" ")]]
        : Object.entries(placesIn(value as object, `${path}${name}.`)),
    ),
  );

test("every language has every text with its places, and no two share one by mistake", () => {
  const english = mailTextsIn("en").words;
  const places = placesIn(english);
  assert.ok(Object.keys(places).length > 50);
  for (const language of MAIL_LANGUAGES) {
    const { words } = mailTextsIn(language);
    assert.deepEqual(placesIn(words), places, language);
    if (language === "en") continue;
    assert.notEqual(words.reset.text, english.reset.text, language);
  }
});

test("a locale is its language, an unknown one English", () => {
  assert.equal(mailTextsIn("de-AT").language, "de");
  assert.equal(mailTextsIn("tlh").language, "en");
  assert.equal(mailTextsIn(undefined).language, "en");
});
