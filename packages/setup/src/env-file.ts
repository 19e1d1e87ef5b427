// Reads, changes and writes the settings file.

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "./uses.ts";
import type { Say } from "./uses.ts";

/** Values by variable; an empty value removes the variable. */
export type Settings = Record<string, string>;

const PRIVATE = 0o600;
const PLAIN = /^[\w./:@+=,%~-]*$/;
const QUOTES = ["'", '"', "`"];

/** Returns a line that is parsed as this value again. */
const lineOf = (t: Say, name: string, value: string): string => {
  if (PLAIN.test(value)) return `${name}=${value}`;
  const quote = QUOTES.find((sign) => !value.includes(sign));
  const line = `${name}=${quote}${value}${quote}`;
  if (quote === undefined || value.includes("\n") || parseEnv(line)[name] !== value) {
    throw new ConfigError(t("setup.write.signs", { name }));
  }
  return line;
};

const nameIn = (line: string): string | undefined =>
  /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];

/** Returns the text with these settings; other lines stay as they are. */
export const withSettings = (t: Say, text: string, settings: Settings): string => {
  const before = parseEnv(text);
  const long = Object.keys(settings).find((name) => before[name]?.includes("\n"));
  if (long !== undefined) {
    throw new ConfigError(t("setup.write.long", { name: long }));
  }
  const left = new Map(Object.entries(settings));
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const written = lines.flatMap((line) => {
    const name = nameIn(line) ?? "";
    if (!(name in settings)) return [line];
    const value = left.get(name) ?? "";
    left.delete(name);
    return value === "" ? [] : [lineOf(t, name, value)];
  });
  for (const [name, value] of left) if (value !== "") written.push(lineOf(t, name, value));
  return `${written.join("\n")}\n`;
};

export const readSettings = (path: string): string =>
  existsSync(path) ? readFileSync(path, "utf8") : "";

/** Writes all of the file or nothing; nobody else can read it. */
export const writeSettings = (path: string, text: string): void => {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, text, { mode: PRIVATE, flush: true });
  chmodSync(unfinished, PRIVATE);
  renameSync(unfinished, path);
};

const SECRET = /PASSWORD|PASSPHRASE|SECRET/;

export const shownValue = (t: Say, name: string, value: string): string =>
  SECRET.test(name) ? t("setup.write.hidden") : value;

export type Change = { name: string; before: string; after: string };

/** Returns the settings that differ from the file. */
export const changesOf = (text: string, settings: Settings): Change[] => {
  const before = parseEnv(text);
  return Object.entries(settings)
    .map(([name, after]) => ({ name, before: before[name] ?? "", after }))
    .filter((change) => change.before !== change.after);
};
