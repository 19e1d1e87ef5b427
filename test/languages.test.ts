// The languages of the catalogue (texts/): each says all that English says, whole, in its own marks and plural forms.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { terminalLocale } from "../src/platform/text/locale.ts";
import { textsIn } from "../src/platform/text/texts.ts";
import { ENGLISH } from "../texts/english.ts";
import { ALL_LANGUAGES, LANGUAGES, chooseLanguage } from "../texts/languages.ts";
import { areasOf, messagesOf, textsOf } from "../texts/catalogue.ts";
import { missingIn } from "../texts/report.ts";
import { lengthOf, longestOfPressed } from "../web/text-context.ts";
import type { Message } from "../texts/translate.ts";

const TEXTS = join(import.meta.dirname, "../texts");

const read = (name: string): unknown => JSON.parse(readFileSync(join(TEXTS, name), "utf8"));

/** Messages that are not translated yet: those of English are shown. A release has none. */
const UNTRANSLATED = read("untranslated.json") as string[];
/** Texts that a language says in the same words as English. */
const EQUAL = read("equal.json") as Record<string, string[]>;

const original = ENGLISH as Record<string, Message>;
const others = ALL_LANGUAGES.filter((language) => language !== "en");

const placesIn = (message: Message): string =>
  [...new Set(textsOf(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join();

const formsOf = (message: Message, language: string): string =>
  typeof message === "string"
    ? ""
    : new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted().join();

const keysOf = (message: Message): string =>
  typeof message === "string" ? "" : Object.keys(message).toSorted().join();

/** Marks of English and of typewriters that the language writes in another way. */
const marksOf = (language: string): RegExp => {
  const straight = /(?<!=)"(?!\w+")|\w'\w|\.\.\./;
  if (/^(?:ja|zh)/.test(language)) return /(?<!=)"|\.\.\.|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}][,?!]/u;
  if (language === "fr") return /(?<!=)"|\w'\w|\.\.\.|[^\u202f\s][;!?»](?=\s|$)|«[^\u202f\u00a0]/;
  return straight;
};

/** What is wrong with a message, beside the English one. */
const faultsOf = (language: string, key: string, message: Message): string[] => {
  const english = original[key];
  if (english === undefined) return ["there is no such message in English"];
  if (typeof message !== typeof english)
    return ["has plural forms where English has none, or none"];
  const marks = marksOf(language);
  // What English has in straight quotes is typed so: attributes, searches.
  const isTyped = textsOf(english).some((text) => /["']|\.\.\./.test(text));
  return [
    ...(textsOf(message).every((text) => text.trim()) ? [] : ["is empty"]),
    ...(keysOf(message) === formsOf(message, language) ? [] : [`has ${keysOf(message)}`]),
    ...(placesIn(message) === placesIn(english) ? [] : [`has ${placesIn(message)}`]),
    ...(isTyped ? [] : textsOf(message).filter((text) => marks.test(text))),
  ];
};

test("there is a folder for each language, and no other", () => {
  const folders = readdirSync(TEXTS, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  assert.deepEqual(folders.map(({ name }) => name).toSorted(), ALL_LANGUAGES.toSorted());
});

test("no key is in two areas", () => {
  const keys = Object.values(areasOf("en")).flatMap((area) => Object.keys(area));
  assert.ok(keys.length > 700);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

for (const language of others)
  describe(LANGUAGES[language], () => {
    const messages = messagesOf(language);

    test("has each message in its area, but those that are not translated yet", () => {
      assert.deepEqual(
        missingIn(language).filter((key) => !UNTRANSLATED.includes(key)),
        [],
      );
    });

    test("has their places, its own plural forms and marks", () => {
      const faults = Object.entries(messages).flatMap(([key, message]) =>
        faultsOf(language, key, message!).map((fault) => `${key}: ${fault}`),
      );
      assert.deepEqual(faults, []);
    });

    test("has no English left", () => {
      const same = Object.entries(messages)
        .filter(([key, message]) => message === original[key])
        .map(([, message]) => message as string)
        .filter((text) => /[a-z]{3}/.test(text.replaceAll(/\{\w+\}/g, "")));
      assert.deepEqual([...new Set(same)].toSorted(), EQUAL[language] ?? []);
    });
  });

/** Buttons and tabs that a language cannot say shorter: somebody looked at them. */
const LONG = read("long.json") as Record<string, string[]>;

test("buttons and tabs are little longer than in English, but those that were looked at", () => {
  const most = longestOfPressed();
  assert.ok(most.size > 100);
  const long = Object.fromEntries(
    others.map((language) => {
      const messages = messagesOf(language);
      const keys = [...most]
        .filter(([key, count]) => lengthOf(messages[key] ?? "") > count)
        .map(([key]) => key);
      return [language, keys.toSorted()];
    }),
  );
  for (const language of others) assert.deepEqual(long[language], LONG[language] ?? [], language);
});

/** Variables, commands, options and signs of other programs, which are typed as they are. */
const TYPED =
  /\b[A-Z\d]+(?:_[A-Z\d]+)+(?:=\w+)?|\brookery [a-z-]+|(?<![\w-])--[a-z-]+|\b(?:https?|s3):\/\/|\$\w+/g;

const typedIn = (message: Message): string =>
  [...new Set(textsOf(message).flatMap((text) => text.match(TYPED) ?? []))].toSorted().join(" ");

test("what is to be typed is the same in each language", () => {
  const faulty = others.flatMap((language) =>
    ["doctor", "reasons", "setup"].flatMap((area) =>
      Object.entries(areasOf(language)[area] ?? {}).flatMap(([key, message]) =>
        typedIn(message) === typedIn(original[key]!) ? [] : [`${language} ${key}`],
      ),
    ),
  );
  assert.deepEqual(faulty, []);
});

test("what is not translated yet is in English, and lacks in a language", () => {
  for (const key of UNTRANSLATED) {
    assert.ok(original[key] !== undefined, key);
    assert.ok(
      others.some((language) => messagesOf(language)[key] === undefined),
      key,
    );
  }
});

test("the first language that is offered, itself or a relative, or English", () => {
  for (const [preferred, chosen] of [
    [["fr-CH", "de-AT", "en"], "fr"],
    [["tlh", "de-AT", "en"], "de"],
    [["EN-gb", "de"], "en"],
    [["pt"], "pt-BR"],
    [["pt-PT", "en"], "pt-BR"],
    [["zh"], "zh-CN"],
    [["zh-SG"], "zh-CN"],
    [["zh-Hans-HK"], "zh-CN"],
    [["zh-HK"], "zh-TW"],
    [["zh-Hant"], "zh-TW"],
    [[], "en"],
    [["*"], "en"],
    [[""], "en"],
    [["constructor"], "en"],
    [["__proto__"], "en"],
  ] as const)
    assert.equal(chooseLanguage(preferred), chosen, preferred.join());
});

test("the report for translators says what keeps git from running, and does not go on without it", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(TEXTS, "report.ts"), "de"], {
    encoding: "utf8",
    env: { ...process.env, PATH: "" },
  });
  assert.equal(status, 1);
  assert.match(stderr, /spawnSync git ENOENT/);
});

test("the locale of a terminal, by the environment", () => {
  for (const [env, chosen] of [
    [{ LANG: "de_AT.UTF-8" }, "de"],
    [{ LANG: "de_DE", LC_MESSAGES: "fr_FR.UTF-8" }, "fr"],
    [{ LANG: "de_DE", LC_MESSAGES: "fr_FR", LC_ALL: "zh_HK.UTF-8" }, "zh-TW"],
    [{ LANG: "ca_ES.UTF-8@valencia" }, "ca"],
    [{ LANG: "de_DE.UTF-8", LC_ALL: "C.UTF-8" }, "en"],
    [{ LANG: "POSIX" }, "en"],
    [{}, "en"],
  ] as const)
    assert.equal(chooseLanguage([terminalLocale(env)]), chosen, JSON.stringify(env));
});

test("a person's language, or the first of a browser's", () => {
  const french = textsIn("fr-CA");
  assert.equal(french.language, "fr");
  assert.match(french.t("mail.hello", { name: "Zoé" }), /^Bonjour Zoé/);
  for (const unknown of ["tlh", "", null, undefined]) assert.equal(textsIn(unknown).language, "en");
  assert.equal(textsIn(["tlh", "de"]).language, "de");
});

test("no two languages share a text of the mails by mistake", () => {
  const said = ALL_LANGUAGES.map((language) => textsIn(language).t("mail.reset.text"));
  assert.equal(new Set(said).size, ALL_LANGUAGES.length);
});
