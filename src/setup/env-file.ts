// The settings file: its lines, what a set-up changes in them, and how it is written.

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError } from "../platform/errors.ts";

/** Values by variable; the empty text takes a variable out. */
export type Settings = Record<string, string>;

const PRIVATE = 0o600;
const PLAIN = /^[\w./:@+=,%~-]*$/;
const QUOTES = ["'", '"', "`"];

/** A line that is read as this value again. */
const lineOf = (name: string, value: string): string => {
  if (PLAIN.test(value)) return `${name}=${value}`;
  const quote = QUOTES.find((sign) => !value.includes(sign));
  const line = `${name}=${quote}${value}${quote}`;
  if (quote === undefined || value.includes("\n") || parseEnv(line)[name] !== value) {
    throw new ConfigError(`${name} cannot be written to .env: its value has signs that end it.`);
  }
  return line;
};

const nameIn = (line: string): string | undefined =>
  /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];

/** The text with these settings; lines that are not of them stay as they are. */
export const withSettings = (text: string, settings: Settings): string => {
  const before = parseEnv(text);
  const long = Object.keys(settings).find((name) => before[name]?.includes("\n"));
  if (long !== undefined) {
    throw new ConfigError(`.env has ${long} in several lines: remove them there first.`);
  }
  const left = new Map(Object.entries(settings));
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const written = lines.flatMap((line) => {
    const name = nameIn(line) ?? "";
    if (!(name in settings)) return [line];
    const value = left.get(name) ?? "";
    left.delete(name);
    return value === "" ? [] : [lineOf(name, value)];
  });
  for (const [name, value] of left) if (value !== "") written.push(lineOf(name, value));
  return `${written.join("\n")}\n`;
};

export const readSettings = (path: string): string =>
  existsSync(path) ? readFileSync(path, "utf8") : "";

/** All of it or nothing; nobody else can read it. */
export const writeSettings = (path: string, text: string): void => {
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, text, { mode: PRIVATE, flush: true });
  chmodSync(unfinished, PRIVATE);
  renameSync(unfinished, path);
};

const SECRET = /PASSWORD|PASSPHRASE|SECRET/;

export const shownValue = (name: string, value: string): string =>
  SECRET.test(name) ? "(not shown)" : value;

export type Change = { name: string; before: string; after: string };

/** What is other than it is in the file. */
export const changesOf = (text: string, settings: Settings): Change[] => {
  const before = parseEnv(text);
  return Object.entries(settings)
    .map(([name, after]) => ({ name, before: before[name] ?? "", after }))
    .filter((change) => change.before !== change.after);
};
