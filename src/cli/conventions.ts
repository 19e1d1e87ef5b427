// Defines what all commands share: --json and --dry-run, examples and exit codes in their help, and how they print the
// results of changing many things.

import type { Command } from "commander";
import { ConfigError } from "../platform/errors.ts";
import type { Examples } from "./examples.ts";

export const JSON_OPTION = ["--json", "print JSON"] as const;

export type OutputOptions = { dryRun?: boolean; json?: boolean };

/** Adds the options of commands that change many things. */
export const many = (command: Command): Command =>
  command.option("--dry-run", "only say what would be done").option(...JSON_OPTION);

/** What was done, and what a dry run says instead. */
export type Verb = readonly [done: string, planned: string];

/** Prints how many were changed. */
export const printCount = (
  count: number,
  [done, planned]: Verb,
  { dryRun = false, json }: OutputOptions,
): void => {
  if (json) return console.log(JSON.stringify({ dry_run: dryRun, count }, null, 2));
  console.log(dryRun ? `Dry run: ${count} ${planned}` : `${count} ${done}`);
};

/** Returns a parser for an option that takes a number. */
export const wholeNumber =
  (option: string, most = 99_999) =>
  (text: string): number => {
    if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
    throw new ConfigError(`${option} must be a whole number from 0 to ${most}.`);
  };

export const wholeDays = wholeNumber("--days");

/** What declares commands elsewhere (packages/administration) gets these. */
export const CONVENTIONS = { JSON_OPTION, many, wholeDays, wholeNumber };
export type Conventions = typeof CONVENTIONS;

/** Returns all commands that do something, with what is typed: "accounts create". */
export const commandsOf = (root: Command, before = ""): [path: string, command: Command][] =>
  root.commands.flatMap((command): [string, Command][] => {
    const path = `${before}${command.name()}`;
    return command.commands.length > 0 ? commandsOf(command, `${path} `) : [[path, command]];
  });

const EXIT_CODES = "\nExit code: 0 where all went well, 1 where something failed";

export const completeHelp = (root: Command, examples: Examples): void => {
  for (const [path, command] of commandsOf(root)) {
    const lines = examples[path]?.map((line) => `  rookery ${line}`) ?? [];
    command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
    // The doctor has its own exit codes for warnings and faults.
    if (path !== "doctor") command.addHelpText("after", EXIT_CODES);
  }
};
