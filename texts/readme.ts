// The README in other languages: texts/<language>/README.md. Each says of which README.md it is the translation, by the
// name that git has for that content, so that `git diff` shows what is new since.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ALL_LANGUAGES, LANGUAGES } from "./languages.ts";
import type { Language } from "./languages.ts";

const ROOT = join(import.meta.dirname, "..");

const TRANSLATED = ALL_LANGUAGES.filter((language) =>
  existsSync(join(ROOT, "texts", language, "README.md")),
);

/** The languages that have a README: English, and those it is translated into. */
export const README_LANGUAGES: Language[] = ["en", ...TRANSLATED];

/** Returns where the README of a language is, from the root. */
export const readmePath = (language: Language): string =>
  language === "en" ? "README.md" : `texts/${language}/README.md`;

export const readReadme = (language: Language): string =>
  readFileSync(join(ROOT, readmePath(language)), "utf8");

/** Returns the name of a content in git. */
export const blobOf = (text: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex");

/** Returns the README.md that a translation was made from, by its name in git; undefined where it does not say. */
export const translatedFrom = (text: string): string | undefined =>
  /^<!-- README\.md ([0-9a-f]{40}) -->$/m.exec(text)?.[1];

/** Returns the line of a README that leads to the others. */
export const otherReadmes = (language: Language): string =>
  README_LANGUAGES.filter((each) => each !== language)
    .map(
      (each) =>
        `[${LANGUAGES[each]}](${relative(dirname(readmePath(language)), readmePath(each))})`,
    )
    .join(" · ");

/** Returns the README.md that the translation into a language is older by, if it is older. */
export const staleReadme = (language: Language): string | undefined => {
  if (!TRANSLATED.includes(language)) return undefined;
  const from = translatedFrom(readReadme(language));
  return from === blobOf(readReadme("en")) ? undefined : from;
};
