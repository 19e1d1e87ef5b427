// The client's texts in each language, beside the English ones.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import de from "../../web/src/texts/de/index.ts";
import en from "../../web/src/texts/en/index.ts";
import { chooseLocale, loadMessages, translator } from "../../web/src/texts/texts.ts";

type Message = string | Record<string, string>;
const LANGUAGES: Record<string, Record<string, Message>> = {
  en,
  de: de as Record<string, Message>,
};
const english: Record<string, Message> = en;

const formsOf = (message: Message): [string, string][] =>
  typeof message === "string" ? [["", message]] : Object.entries(message);

const placesOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

describe("texts", () => {
  for (const [language, messages] of Object.entries(LANGUAGES)) {
    test(`of ${language}: messages, values and plural forms that there are`, () => {
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      for (const [key, message] of Object.entries(messages)) {
        assert.ok(key in english, `${key} is no message`);
        const known = new Set(formsOf(english[key]!).flatMap(([, text]) => placesOf(text)));
        for (const [form, text] of formsOf(message)) {
          assert.ok(text.trim(), key);
          if (form) assert.ok((pluralCategories as string[]).includes(form), `${key}: ${form}`);
          for (const name of placesOf(text)) assert.ok(known.has(name), `${key}: {${name}}`);
        }
        if (typeof message !== "string") assert.ok(message["other"], `${key} lacks "other"`);
      }
    });
  }

  test("the first language that the client speaks, or English", () => {
    assert.equal(chooseLocale(["fr-CH", "de-AT", "en"]), "de");
    assert.equal(chooseLocale(["EN-gb", "de"]), "en");
    for (const odd of [[], ["*"], [""], ["constructor"], ["__proto__"]])
      assert.equal(chooseLocale(odd), "en");
  });

  test("values take their place once, numbers as the language writes them", async () => {
    const t = translator("de", await loadMessages("de"));
    const name = "{count} $& $1 <b>";
    assert.ok(t("about.title", { name }).includes(name));
    const key = Object.keys(en).find((each) => typeof english[each] !== "string") as "post.boosts";
    assert.match(translator("en", {})(key, { count: 12_345 }), /12,345/);
    // What German lacks is English, with the plural forms of English.
    assert.equal(translator("de", {})(key, { count: 1 }), translator("en", {})(key, { count: 1 }));
  });
});
