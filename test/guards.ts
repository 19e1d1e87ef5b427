// Removes each guard of who may see a post, one at a time, in a copy of the project, and says which test notices: `npm
// run guards [-- PART OF PATH:LINE …]`. A guard that no test notices is a leak that nobody would see, or needless.
// First all tests run once with every guard: one that hides nothing meanwhile cannot be noticed, and is not tried.

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
import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { startTestServer } from "./database.ts";
import { makeQueue, removeQueue } from "./queue.ts";

const ROOT = join(import.meta.dirname, "..");
const COPIED = [
  "bin",
  "src",
  "packages",
  "test",
  "migrations",
  "package.json",
  "tsconfig.json",
  "texts",
];
const LINKED = ["node_modules", "assets", "bench", "deploy", "docs", "web"];
/** Tests without a guard of their own: who gets a post, and the two forms of each rule against each other. */
const TESTS = ["test/security/audiences.test.ts", "src/domain/posts/statuses/visibility.test.ts"];

const NAMES = [
  "openTo",
  "federates",
  "openToFollowers",
  "openToReblogs",
  "listedPublicly",
  "mayFederate",
  "mayHaveFederated",
  "canSee",
  "isAddressed",
  "belongsInList",
  "visibleTo",
  "addressedTo",
  "addressedToServer",
].join("|");

type Guard = { path: string; line: number; name: string };
const guards: Guard[] = [];

/** Returns where the bracket that is open before `at` is closed. */
const closing = (text: string, at: number): number => {
  let depth = 1;
  for (let index = at; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")" && --depth === 0) return index;
  }
  throw new Error("a bracket stays open");
};

/** Wraps the call so that it can be left out (guarded.ts). */
const around = (guard: number, call: string): string => {
  const [, sql] = /^\w+\(\s*(db|tx|sql)\b/.exec(call) ?? [];
  return sql
    ? `globalThis.guardedSql(${guard}, ${sql}, () => ${call})`
    : `globalThis.guarded(${guard}, () => ${call})`;
};

const instrumented = (path: string): string => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const calls = new RegExp(
    `(?<![\\w.])(${NAMES})\\(|(?<=\\.(?:filter|some|every)\\()(${NAMES})(?=\\))`,
    "g",
  );
  let [output, from] = ["", 0];
  for (const match of text.matchAll(calls)) {
    if (match.index < from) continue;
    const [whole, called, passed] = match;
    const guard = guards.length;
    const end = match.index + whole.length;
    const to = called ? closing(text, end) + 1 : end;
    const call = called ? text.slice(match.index, to) : `${passed}(view)`;
    guards.push({
      path,
      name: called ?? passed!,
      line: text.slice(0, match.index).split("\n").length,
    });
    output += text.slice(from, match.index) + (called ? "" : "(view) => ") + around(guard, call);
    from = to;
  }
  return output + text.slice(from);
};

/** Returns the names of failing tests with the errors; only the first name where one is enough. */
const failing = async (env: NodeJS.ProcessEnv, isFirst: boolean): Promise<string[]> => {
  const queue = makeQueue(TESTS);
  const stop = new AbortController();
  const failed: string[] = [];
  const events = run({
    files: [join(copy, "test/lane.ts")],
    cwd: copy,
    env: { ...process.env, ...env, TEST_QUEUE: queue },
    execArgv: ["--import", join(copy, "test/guarded.ts")],
    signal: stop.signal,
  }) as AsyncIterable<TestEvent>;
  for await (const { type, data } of events) {
    if (type !== "test:fail" || (isFirst && failed.length > 0)) continue;
    const { error } = data.details;
    failed.push(isFirst ? data.name : `${data.name}: ${String(error.cause ?? error)}`);
    if (isFirst) stop.abort();
  }
  removeQueue(queue);
  return failed;
};

const copy = mkdtempSync(join(tmpdir(), "rookery-guards-"));
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name));

const paths = process.argv.slice(2);
const isWanted = ({ path, line }: Guard): boolean =>
  paths.length === 0 || paths.some((part) => `${path}:${line}`.includes(part));
for (const path of globSync("src/**/*.ts", { cwd: ROOT }).sort()) {
  if (/\.test\.ts$|statuses\/visibility\.ts$|statuses\/rules\.ts$/.test(path)) continue;
  writeFileSync(join(copy, path), instrumented(path));
}

process.env["NODE_COMPILE_CACHE"] = join(copy, ".cache");
const server = await startTestServer();
process.env["TEST_DATABASE_URL"] = server.url;
let tried: number[] = [];
let unnoticed = 0;
try {
  const log = join(copy, "noted");
  writeFileSync(log, "");
  const before = await failing({ GUARD_LOG: log }, false);
  if (before.length > 0) throw new Error(`with all guards these fail:\n${before.join("\n")}`);
  const lines = readFileSync(log, "utf8").split("\n");
  const used = new Set(lines.filter(Boolean).map((line) => Number(line.split("\t")[0])));
  tried = [...guards.keys()].filter((guard) => isWanted(guards[guard]!));
  const order = tried.toSorted((a, b) => Number(used.has(a)) - Number(used.has(b)));
  for (const guard of order) {
    const { path, line, name } = guards[guard]!;
    const [noticed] = used.has(guard) ? await failing({ GUARD_OFF: String(guard) }, true) : [];
    if (!noticed) unnoticed += 1;
    const verdict = noticed ?? `NOT NOTICED${used.has(guard) ? "" : ", keeps nothing back"}`;
    console.log(`${path}:${line} ${name}: ${verdict}`);
  }
} finally {
  await server.stop();
}
console.log(`${tried.length} guards, ${unnoticed} not noticed`);
process.exit(0);
