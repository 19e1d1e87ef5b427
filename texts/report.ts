// Says what translators can do: `npm run texts` lists for each language which messages are missing, changed in English
// since they were translated, or unknown to English, and whether README.md is newer than its translation; `npm run texts
// -- fr` lists each of them.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { areasOf, messagesOf, textsOf } from "./catalogue.ts";
import { ALL_LANGUAGES, LANGUAGES } from "./languages.ts";
import type { Language } from "./languages.ts";
import { readmePath, staleReadme } from "./readme.ts";
import type { Messages } from "./translate.ts";

const FOLDER = import.meta.dirname;

/** Returns the keys that the language does not have in their areas. */
export const missingIn = (language: Language): string[] => {
  const own = areasOf(language);
  return Object.entries(areasOf("en")).flatMap(([area, messages]) =>
    Object.keys(messages).filter((key) => own[area]?.[key] === undefined),
  );
};

/** Returns what git knows of each line of a file; nothing of one that is not committed yet. */
const blame = (file: string): string => {
  const { error, stdout } = spawnSync("git", ["blame", "--line-porcelain", "--", file], {
    cwd: FOLDER,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  return stdout;
};

/** Returns when each message of a file was last changed, in seconds, by its key. */
const changesOf = (file: string): Map<string, number> => {
  const changes = new Map<string, number>();
  let [time, key] = [0, ""];
  for (const line of blame(file).split("\n")) {
    if (line.startsWith("committer-time ")) time = Number(line.slice(15));
    if (!line.startsWith("\t")) continue;
    key = /^\t {2}"([^"]+)"/.exec(line)?.[1] ?? key;
    changes.set(key, Math.max(changes.get(key) ?? 0, time));
  }
  return changes;
};

/** When somebody last went through the whole of a language, beside the English of that time. */
const READ = JSON.parse(readFileSync(join(FOLDER, "read.json"), "utf8")) as Record<string, string>;

/** Returns the keys whose English text is newer than the translation, and than the last time all of it was read. */
const changedIn = (language: Language): string[] => {
  const read = Date.parse(READ[language] ?? "1970-01-01") / 1000;
  return Object.keys(areasOf("en")).flatMap((area) => {
    const own = changesOf(`${language}/${area}.json`);
    const english = changesOf(`en/${area}.json`);
    return [...own].flatMap(([key, time]) =>
      (english.get(key) ?? 0) > Math.max(time, read) ? [key] : [],
    );
  });
};

const unknownIn = (language: Language, english: Messages): string[] =>
  Object.keys(messagesOf(language)).filter((key) => english[key] === undefined);

const isLanguage = (name: string | undefined): name is Language =>
  name !== undefined && Object.hasOwn(LANGUAGES, name);

const report = ([name]: string[]): void => {
  const english = messagesOf("en");
  const languages = isLanguage(name) ? [name] : ALL_LANGUAGES.filter((each) => each !== "en");
  for (const language of languages) {
    const kinds = {
      missing: missingIn(language),
      changed: changedIn(language),
      unknown: unknownIn(language, english),
    };
    const counts = Object.entries(kinds).map(([kind, keys]) => `${keys.length} ${kind}`);
    console.log(`${language} (${LANGUAGES[language]}): ${counts.join(", ")}`);
    const stale = staleReadme(language);
    if (stale)
      console.log(`changed ${readmePath(language)}: git diff ${stale.slice(0, 12)} HEAD:README.md`);
    if (!isLanguage(name)) continue;
    for (const [kind, keys] of Object.entries(kinds))
      for (const key of keys)
        console.log(`${kind} ${key}: ${textsOf(english[key] ?? "").join(" / ")}`);
  }
};

if (import.meta.main) report(process.argv.slice(2));
