// What all commands have in common: help with examples that can be typed, JSON, dry runs, exit codes.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { wordsOf } from "../../test/command-line.ts";
import { commandsOf } from "./conventions.ts";
import { EXAMPLES as GROUPED } from "../../packages/administration/src/declare/examples.ts";
import { EXAMPLES as ALONE } from "./examples.ts";
import type { Examples } from "./examples.ts";
import { program } from "./run.ts";

const EXAMPLES: Examples = { ...ALONE, ...GROUPED };

const helpOf = (command: Command): string => {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
};

/** Parses the line without doing anything; the name of the command that would have run. */
const parsed = async (line: string): Promise<string> => {
  const root = await program(wordsOf(line));
  let ran = "";
  for (const [path, command] of commandsOf(root)) command.action(() => void (ran = path));
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    for (const child of command.commands) quiet(child);
  };
  quiet(root);
  root.parse(["node", "rookery", ...wordsOf(line)]);
  return ran;
};

const all = commandsOf(await program());
const has = (command: Command, flag: string) => command.options.some(({ long }) => long === flag);

test("every command's help has its examples and exit codes, and the examples can be typed", async () => {
  for (const [path, command] of all) {
    const help = helpOf(command);
    const lines = EXAMPLES[path] ?? [];
    assert.ok(lines.length > 0, `${path} has no example`);
    for (const line of lines) {
      assert.ok(help.includes(`  rookery ${line}\n`), `${path}: ${line} is not in its help`);
      assert.equal(await parsed(line), path, line);
    }
    assert.equal(help.match(/^Exit code: /gm)?.length, 1, path);
    assert.notEqual(command.description(), "", path);
  }
  const known = new Set(all.map(([path]) => path));
  assert.deepEqual(
    Object.keys(EXAMPLES).filter((path) => !known.has(path)),
    [],
  );
});

test("what lists has --json, and so has what can be tried before", () => {
  const lists = /(?:^| )(?:list|pending|usage|changes|find|crawl|doctor)$/;
  for (const [path, command] of all) {
    if (lists.test(path) || has(command, "--dry-run")) assert.ok(has(command, "--json"), path);
  }
});

test("what changes many things can be tried before", () => {
  // Whatever goes through all there are of something, or takes --all.
  const many =
    /^(?:accounts (?:delete|refresh|cull|prune|rotate|follow|unfollow|approve)|feeds .*|cache recount|domains purge|statuses remove|preview-cards remove|media (?:remove|refresh|move)|domain-blocks import|domain-lists add|import mastodon|move-domain|maintenance|self-destruct)$/;
  for (const [path, command] of all) {
    const isMany = many.test(path) || has(command, "--all");
    if (path !== "reports list") assert.equal(has(command, "--dry-run"), isMany, path);
  }
});

test("what is typed wrong is refused", async () => {
  for (const line of ["accounts prune --days x", "domains crawl --max -1", "accounts nothing"]) {
    await assert.rejects(parsed(line), line);
  }
});
