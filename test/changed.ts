// Finds the tests of what differs from main, for `test/run.ts --changed`: those that import a changed file, those
// beside it or beside a file of the server that imports it, and those of the whole project. What only a server or a
// browser shows, as in test/browser/ and test/journeys/, is not found by imports: whoever runs these tests names them.

import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname } from "node:path";
import { ROOT, importsOf, placeOf, readSource } from "./sources.ts";

const git = (...args: string[]): string[] =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n").filter(Boolean);

const find = (pattern: string): string[] => globSync(pattern, { cwd: ROOT });

const isTest = (path: string): boolean => path.endsWith(".test.ts");

/** Tests that read the sources or ask every route. */
const OF_ALL = "test/{*,contract/*}.test.ts";

/** Returns the tests of these files by the imports of all files. */
const testsOf = (changed: string[], files: Map<string, string[]>): string[] => {
  const near = new Set(changed);
  for (const [path, imports] of files)
    if (imports.some((each) => changed.includes(each))) near.add(path);
  const ofServer = [...near].filter((path) => /^(?:src|packages)\//.test(path) && !isTest(path));
  const folders = new Set(ofServer.map(dirname));
  const tests = [...files.keys()].filter(isTest);
  return tests.filter((path) => near.has(path) || folders.has(dirname(path)));
};

export const changedTests = (): string[] => {
  const changed = [
    ...git("diff", "--name-only", "--merge-base", "main"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
  const files = find("{src,test,bench,packages,web/src}/**/*.{ts,tsx}").map((path) => {
    const imports = importsOf({ path, text: readSource(path), place: placeOf(path) });
    return [path, imports] as const;
  });
  return [...new Set([...testsOf(changed, new Map(files)), ...find(OF_ALL)])];
};
