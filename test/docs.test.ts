// What the documents say of settings, commands and retention is what the code has (figures: docs-limits.test.ts); the
// README stays short, and what it tells people to type can be typed.

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commandsOf } from "../src/cli/conventions.ts";
import { program } from "../src/cli/run.ts";
import { EXTENSIONS, EXTENSION_NAMES } from "../src/domain/about/instance/extensions.ts";
import { variablesTable } from "../src/platform/config/variables.ts";
import { retention } from "../src/retention.ts";
import { wordsOf } from "./command-line.ts";
import { RANKS } from "./sources.ts";

const ROOT = new URL("../", import.meta.url);
const README_WORDS = 1000;
const ARCHITECTURE_WORDS = 1000;
const PERFORMANCE_WORDS = 700;
const ALL_WORDS = 42_500;

/** As `wc -w` counts them. */
const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** The rows of a document's tables, each as its cells. */
const rowsOf = (path: string): string[][] =>
  read(path)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));

const codeIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]*)`/g)].map(([, code]) => code!);

test("CONFIGURATION.md has every variable as variables.json documents it", () => {
  const table = /<!-- config -->\n([\s\S]*?)\n<!-- \/config -->/.exec(
    read("docs/CONFIGURATION.md"),
  );
  assert.equal(
    table?.[1],
    variablesTable(),
    "put the output of `rookery config` between the marks",
  );
});

test("COMMANDS.md has every command, and no other", async () => {
  const documented = rowsOf("docs/COMMANDS.md").flatMap(([cell]) => codeIn(cell!));
  const all = commandsOf(await program()).map(([path]) => path);
  const names = (path: string, code: string): boolean => {
    const [group, name] = path.split(" ");
    const rest = code.slice(group!.length);
    if (!new RegExp(`^${group}\\b(?!-)`).test(code)) return false;
    return name === undefined || new RegExp(`(?:^|[ |])${name}(?:$|[ |\\\\…])`).test(rest);
  };
  const missing = all.filter((path) => !documented.some((code) => names(path, code)));
  assert.deepEqual(missing, []);
  const groups = new Set(all.map((path) => path.split(" ")[0]));
  const unknown = rowsOf("docs/COMMANDS.md")
    .map(([cell]) => codeIn(cell!)[0] ?? "")
    .filter((code) => code && !groups.has(code.split(/[ \\]/)[0]!));
  assert.deepEqual(unknown, []);
});

test("RETENTION.md has everything that is deleted by age", () => {
  const named = rowsOf("docs/RETENTION.md").flatMap((cells) => codeIn(cells.at(-1)!));
  assert.deepEqual(named.sort(), Object.keys(retention).sort());
});

test("the README is short, and its commands can be typed", async () => {
  const readme = read("README.md");
  assert.ok(wordsIn(readme) <= README_WORDS, `${wordsIn(readme)} words`);
  const lines = [...readme.matchAll(/npm run rookery -- ([^`\n]+)/g)].map(([, line]) => line!);
  assert.ok(lines.length >= 5);
  for (const line of lines) {
    const root = await program();
    let ran = "";
    for (const [path, command] of commandsOf(root)) command.action(() => void (ran = path));
    root.parse(["node", "rookery", ...wordsOf(line)]);
    assert.ok(line.startsWith(ran) && ran !== "", line);
  }
});

test("the commands that the documents name are there", async () => {
  const paths = commandsOf(await program()).map(([path]) => path);
  const groups = new Set(paths.map((path) => path.split(" ")[0]));
  for (const file of ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT.pathname })]) {
    for (const [, line] of read(file).matchAll(/(?:`| {4,})rookery ([a-z][^`\n]*)/g)) {
      const [group, name = ""] = line!.split(" ");
      assert.ok(groups.has(group), `${file}: rookery ${line}`);
      const isNamed = !paths.includes(group!) && /^[a-z]/.test(name);
      for (const each of isNamed ? name.split("|") : [])
        assert.ok(paths.includes(`${group} ${each}`), `${file}: rookery ${line}`);
    }
  }
});

test("commands have the options that the documents give them", async () => {
  const options = new Map<string, Set<string>>();
  for (const [path, command] of commandsOf(await program())) {
    const [group] = path.split(" ");
    const own = options.get(group!) ?? new Set();
    for (const { long } of command.options) own.add(long ?? "");
    options.set(group!, own);
  }
  let seen = 0;
  for (const file of ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT.pathname })]) {
    for (const [, line] of read(file)
      .replaceAll(/\\\n */g, "")
      .matchAll(/(?:`| {4,})(?:rookery )?([a-z][a-z-]*\b[^`\n]*)/g)) {
      const own = options.get(/^[a-z-]+/.exec(line!)![0]);
      for (const [option] of own ? line!.matchAll(/--[a-z][a-z0-9-]*/g) : []) {
        assert.ok(own!.has(option), `${file}: ${line} (${option})`);
        seen += 1;
      }
    }
  }
  assert.ok(seen > 100, `${seen} options`);
});

const DOCUMENTS = globSync("docs/**/*.md", { cwd: ROOT.pathname }).sort();

test("the documents are short, and their lines can be read in any editor", () => {
  // What is made of the code is as long as the code needs.
  const written = DOCUMENTS.map((path) => ({
    path,
    text: read(path).replaceAll(/^<!-- (\w+) -->$[^]*?^<!-- \/\1 -->$/gm, ""),
  }));
  const words = written.reduce((sum, { text }) => sum + wordsIn(text), 0);
  assert.ok(words <= ALL_WORDS, `${words} words`);
  for (const { path, text } of written)
    for (const line of text.replaceAll(/^```[^]*?^```$/gm, "").split("\n"))
      assert.ok(line.length <= 120 || line.startsWith("|"), `${path}: ${line}`);
});

test("the files and folders of the code that documents name are there", () => {
  for (const path of [...globSync("*.md", { cwd: ROOT.pathname }), ...DOCUMENTS])
    for (const [, place] of read(path).matchAll(
      /`((?:src|web|test|bench|packages|bin|deploy)\/(?!\.env)[\w./-]+)`/g,
    ))
      assert.ok(existsSync(new URL(place!, ROOT)), `${path}: ${place}`);
});

test("ARCHITECTURE.md is one page, and its map has everything that is in src", () => {
  const page = read("docs/ARCHITECTURE.md");
  assert.ok(wordsIn(page) <= ARCHITECTURE_WORDS, `${wordsIn(page)} words`);
  const map = /^```\n([^]*?)^```/m.exec(page)![1]!;
  const places = map.match(/(?<=^|\s)[\w-]+\/[\w./-]*/gm)!;
  for (const place of places) assert.ok(existsSync(new URL(place, ROOT)), place);
  const present = globSync("src/*", { cwd: ROOT.pathname, withFileTypes: true })
    .filter(({ name }) => !name.endsWith(".test.ts"))
    .map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`);
  assert.deepEqual(
    present.filter((path) => !places.some((place) => place.startsWith(path))),
    [],
  );
  const wings = RANKS.filter((rank) => rank.startsWith("domain/")).map((rank) => rank.slice(7));
  assert.ok(map.includes(` ${wings.join(" ")}\n`), `the wings are ${wings.join(", ")}`);
});

test("PERFORMANCE.md is one page, and says of each row of its table what it means", () => {
  const page = read("docs/PERFORMANCE.md");
  assert.ok(wordsIn(page) <= PERFORMANCE_WORDS, `${wordsIn(page)} words`);
  const [before, between, after] = page.split(/<!-- \/?bench -->/);
  assert.ok(before && between && after);
  const rows = between.split("\n").filter((line) => line.startsWith("|"));
  const names = rows.slice(2).map((line) => line.split("|")[1]!.trim());
  assert.ok(names.length > 20);
  const explained = new Set(codeIn(after));
  assert.deepEqual(
    names.filter((name) => !explained.has(name)),
    [],
  );
});

test("API-EXTENSIONS.md names every addition, with its members", () => {
  const page = read("docs/API-EXTENSIONS.md");
  // "accent_color" does not name "color".
  const isNamed = (path: string): boolean =>
    new RegExp(String.raw`(?<!\w)${path.split(".").at(-1)}(?!\w)`).test(page);
  const missing = [
    ...Object.keys(EXTENSION_NAMES).filter((name) => !page.includes(`\`${name}\``)),
    ...EXTENSIONS.flatMap(({ members = {} }) => Object.keys(members)).filter(
      (path) => !isNamed(path),
    ),
  ];
  assert.equal(missing.join(", "), "", "docs/API-EXTENSIONS.md does not name");
});

const CHAPTERS = globSync("docs/design/*.md", { cwd: ROOT.pathname }).sort();

test("the design is said in few and short chapters", () => {
  assert.ok(CHAPTERS.length <= 25, `${CHAPTERS.length} chapters`);
  for (const path of CHAPTERS) {
    const words = wordsIn(read(path));
    assert.ok(words <= 1000, `${path}: ${words} words`);
  }
});

/** What chapters name because this project does not have it. */
const NOT_OURS = new Set(["pg_dump", "MemoryDenyWriteExecute"]);

/** Returns the functions, tables, columns and settings that a chapter names: words of several parts. */
const namesIn = (text: string): string[] =>
  codeIn(text)
    .flatMap((code) => code.match(/\b[a-zA-Z]+(?:_[a-zA-Z0-9]+|[a-z][A-Z][a-zA-Z]+)+\b/g) ?? [])
    .filter((name) => !NOT_OURS.has(name));

test("each chapter is named by a source file, and what it names is there", () => {
  const files = globSync(
    "{src,web,test,bench,texts,packages,migrations,bin,deploy,docs,assets}/**/*",
    {
      cwd: ROOT.pathname,
      exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
    },
  );
  const sources = files
    .filter((path) => /\.(?:ts|tsx|sql)$/.test(path))
    .map(read)
    .join("\n");
  const words = new Set(sources.match(/\w+/g));
  for (const path of CHAPTERS) {
    assert.ok(sources.includes(path), `no source file names ${path}`);
    for (const [, name] of read(path).matchAll(/`([\w./-]+\.(?:tsx?|sql|c|md))`/g))
      assert.ok(
        files.some((file) => file === name || file.endsWith(`/${name}`)),
        `${path}: ${name}`,
      );
    for (const name of namesIn(read(path)))
      assert.ok(words.has(name), `${path}: nothing is called ${name}`);
  }
});

test("what the documents link to is there", () => {
  for (const path of [...globSync("*.md", { cwd: ROOT.pathname }), ...DOCUMENTS]) {
    for (const [, to] of read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      const [file, anchor] = to!.split("#");
      const target = file ? new URL(file, new URL(path, ROOT)) : new URL(path, ROOT);
      assert.ok(existsSync(target), `${path}: ${to}`);
      if (!anchor) continue;
      const titles = [...readFileSync(target, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, "")
          .replaceAll(/\s/g, "-"),
      );
      assert.ok(titles.includes(anchor), `${path}: ${to}`);
    }
  }
});
