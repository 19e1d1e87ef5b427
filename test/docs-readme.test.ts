// The README in other languages (texts/<language>/README.md) has what README.md has, in the same places: headings,
// commands, links, pictures, steps and rows. Its words are texts of a language, so they do not count as documents.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { messagesOf } from "../texts/catalogue.ts";
import { LANGUAGES } from "../texts/languages.ts";
import type { Language } from "../texts/languages.ts";
import {
  README_LANGUAGES,
  blobOf,
  otherReadmes,
  readReadme,
  readmePath,
  translatedFrom,
} from "../texts/readme.ts";

const CODE = /^```[^]*?^```$/gm;

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([whole, part]) => part ?? whole);

/** Returns where the links and pictures of a text lead: addresses, and paths from the root. */
const targetsIn = (text: string, language: Language): string[] =>
  all(text, /\]\(([^)]+)\)|<https?:[^>]+>/g).map((to) =>
    /^<?https?:/.test(to) ? to : join(dirname(readmePath(language)), to),
  );

type Part = {
  heading: string;
  code: string[];
  inline: string[];
  targets: string[];
  steps: string[];
  rows: string[][];
};

/** Returns what each part below a heading has that no translation changes; words may be in another order. */
const partsOf = (language: Language): Part[] => {
  const text = readReadme(language).replace(`\n${otherReadmes(language)}\n`, "");
  return text.split(/^(?=#+ )/m).map((part) => {
    const words = part.replaceAll(CODE, "");
    const cellsOf = (row: string): string[] => row.split("|").slice(1, -1);
    return {
      heading: /^#+/.exec(part)?.[0] ?? "",
      code: all(part, CODE),
      inline: all(words, /`([^`]+)`/g).toSorted(),
      targets: targetsIn(words, language).toSorted(),
      steps: all(words, /^\d+\. \*\*/gm),
      rows: all(words, /^\|.*$/gm).map((row) =>
        cellsOf(row).map((cell) => targetsIn(cell, language).toSorted().join()),
      ),
    };
  });
};

/** Names of places in the menu that the README leads to. */
const PLACES = ["nav.admin", "nav.home"];

test("README.md leads to each translation", () => {
  assert.ok(README_LANGUAGES.length >= 7);
  assert.ok(readReadme("en").startsWith(`# Rookery\n\n${otherReadmes("en")}\n`));
});

for (const language of README_LANGUAGES.slice(1))
  describe(`README in ${LANGUAGES[language]}`, () => {
    const text = readReadme(language);

    test("leads to README.md and the other translations", () => {
      assert.ok(
        text.startsWith(`# Rookery\n\n${otherReadmes(language)}\n`),
        otherReadmes(language),
      );
    });

    test("has the headings, commands, links, steps and rows of README.md", () => {
      assert.deepEqual(partsOf(language), partsOf("en"));
    });

    test("names places of the menu as the menu does", () => {
      for (const own of ["en", language] as const)
        for (const key of PLACES)
          assert.match(
            readReadme(own),
            new RegExp(`[„“«「]\u202f?${String(messagesOf(own)[key])}`),
          );
    });

    test("says of which README.md it is the translation", () => {
      assert.ok(translatedFrom(text), `<!-- README.md ${blobOf(readReadme("en"))} -->`);
    });
  });
