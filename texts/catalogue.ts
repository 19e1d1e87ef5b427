// Reads the files of a language: by area for whoever compares them, or all messages at once.

import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Language } from "./languages.ts";
import type { Message, Messages } from "./translate.ts";

/** The areas of a language by their names. */
export const areasOf = (language: Language): Record<string, Record<string, Message>> => {
  const folder = join(import.meta.dirname, language);
  const files = globSync("*.json", { cwd: folder }).toSorted();
  return Object.fromEntries(
    files.map((file) => [
      basename(file, ".json"),
      JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, Message>,
    ]),
  );
};

export const messagesOf = (language: Language): Messages =>
  Object.assign({}, ...Object.values(areasOf(language))) as Messages;

/** Returns the text of a message, or those of its plural forms. */
export const textsOf = (message: Message): string[] =>
  typeof message === "string" ? [message] : Object.values(message);
