// Removes each guard of who may see a post, one at a time, in a copy of the project, and says which test notices:
// `npm run guards [-- PART OF A PATH]`. A guard that no test notices is a leak that nobody would see, or needless.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const COPIED = [
  "bin",
  "src",
  "test",
  "migrations",
  "package.json",
  "tsconfig.json",
  "texts",
  "web",
];
const LINKED = ["node_modules", "assets", "bench", "deploy", "docs"];
/** They know no guard: who may see a post, and the two forms of each rule against each other. */
const TESTS = [
  "test/security/audiences",
  "src/domain/statuses/visibility.test",
  "test/security/private",
  "test/security/leaks",
];

/** By the name of what is called: what is there instead of the call. */
const IN_TYPESCRIPT: Record<string, string> = {
  openTo: "true",
  federates: "true",
  openToFollowers: "true",
  openToReblogs: "true",
  listedPublicly: "true",
  mayFederate: "true",
  canSee: "true",
  belongsInList: "true",
};
const IN_SQL = "db`true`";
const SQL_ONLY = ["visibleTo", "addressedTo"];

type Guard = { path: string; line: number; from: number; to: number; name: string; by: string };

/** Where the bracket that is open before `at` is closed. */
const closing = (text: string, at: number): number => {
  let depth = 1;
  for (let index = at; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")" && --depth === 0) return index;
  }
  throw new Error("a bracket stays open");
};

const guardsIn = (path: string): Guard[] => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const names = [...Object.keys(IN_TYPESCRIPT), ...SQL_ONLY].join("|");
  const calls = [...text.matchAll(new RegExp(`(?<![\\w.])(${names})\\(`, "g"))].map((match) => {
    const from = match.index;
    const to = closing(text, from + match[0].length) + 1;
    const isSql = /^\w+\((?:db|tx|sql)\b/.test(text.slice(from));
    return { from, to, name: match[1]!, by: isSql ? IN_SQL : "true" };
  });
  const filters = [...text.matchAll(/\.filter\((mayFederate|canSee|belongsInList)\)/g)].map(
    (match) => ({ from: match.index, to: match.index + match[0].length, name: match[1]!, by: "" }),
  );
  return [...calls, ...filters].map((guard) => ({
    ...guard,
    path,
    line: text.slice(0, guard.from).split("\n").length,
  }));
};

const run = (cwd: string): string[] => {
  const args = ["test/run.ts", ...TESTS];
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  const failed = [...stdout.matchAll(/^✖ (.*) \((?:src|test)\/.*$/gm)].map(([, name]) => name!);
  if (failed.length === 0 && !/ passed, 0 failed\s*$/.test(stdout)) return ["(it does not start)"];
  return failed;
};

const copy = mkdtempSync(join(tmpdir(), "rookery-guards-"));
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name));

const [part = ""] = process.argv.slice(2);
const guards = globSync("src/**/*.ts", { cwd: ROOT })
  .filter((path) => !/\.test\.ts$|statuses\/visibility\.ts$|statuses\/rules\.ts$/.test(path))
  .filter((path) => path.includes(part))
  .sort()
  .flatMap(guardsIn);
const before = run(copy);
if (before.length > 0) throw new Error(`with all guards these fail: ${before.join(", ")}`);

let unnoticed = 0;
for (const { path, line, from, to, name, by } of guards) {
  const text = readFileSync(join(ROOT, path), "utf8");
  writeFileSync(join(copy, path), text.slice(0, from) + by + text.slice(to));
  const failed = run(copy);
  writeFileSync(join(copy, path), text);
  if (failed.length === 0) unnoticed += 1;
  console.log(`${path}:${line} ${name}: ${failed[0] ?? "NOT NOTICED"}`);
}
console.log(`${guards.length} guards, ${unnoticed} not noticed`);
