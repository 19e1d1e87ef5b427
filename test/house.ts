// npm run house prints how large the project is, which should shrink: lines and files of each part, words of the
// documents, lengths of functions and files, imports that run up, and the files of src that an act runs through
// (test/passes.ts; `--without-passes` leaves these out, as they need a database).

import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { Visitor, parseSync } from "vite";
import type { ESTree } from "vite";
import { OF_TESTS, ROOT, clientSources, importsUp, readSource, sources } from "./sources.ts";

/** Glob patterns of each part; tests are counted separately. */
const PARTS = {
  src: "src/**/*.ts",
  web: "web/{src/**/*,*}.{ts,tsx,css}",
  packages: "packages/*/{src,test,bench}/**/*.ts",
  migrations: "migrations/*.sql",
  bench: "bench/**/*.ts",
};
const TESTS = "test/**/*.ts";
const isTest = (path: string): boolean => OF_TESTS.test(path) || path.endsWith(".contract.ts");

const linesOf = (text: string): number => text.split("\n").length - 1;

export type Size = { files: number; lines: number };

export const sizeOf = (paths: string[]): Size => ({
  files: paths.length,
  lines: paths.reduce((sum, path) => sum + linesOf(readSource(path)), 0),
});

const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: ["**/node_modules/**"] });

/** Returns lines and files of each part. */
export const sizes = (): Record<string, Size> => {
  const all = Object.entries(PARTS).map(([name, pattern]) => [name, find(pattern)] as const);
  const beside = all.flatMap(([, paths]) => paths.filter(isTest));
  return {
    ...Object.fromEntries(
      all.map(([name, paths]) => [name, sizeOf(paths.filter((path) => !isTest(path)))]),
    ),
    tests: sizeOf([...find(TESTS), ...beside]),
  };
};

type Named = { name: string; lines: number };

/** Returns the named functions of a file with their lines: declarations, methods and constants. */
export const functionsIn = (path: string, text: string): Named[] => {
  const functions: Named[] = [];
  const add = (key: ESTree.Node | null | undefined, node: ESTree.Node): void => {
    const name = key && "name" in key ? String(key.name) : "?";
    functions.push({ name, lines: text.slice(node.start, node.end).split("\n").length });
  };
  const isFunction = (node: ESTree.Node | null | undefined): boolean =>
    node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
  new Visitor({
    FunctionDeclaration: (node) => add(node.id, node),
    MethodDefinition: (node) => add(node.key, node),
    PropertyDefinition: (node) => isFunction(node.value) && add(node.key, node),
    VariableDeclarator: (node) => isFunction(node.init) && add(node.id, node),
  }).visit(parseSync(path, text).program);
  return functions;
};

/** Returns the median, the 90th percentile and the maximum. */
export const spreadOf = (values: number[]): { median: number; p90: number; longest: number } => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return { median: at(0.5), p90: at(0.9), longest: sorted.at(-1)! };
};

const longestOf = <T extends { lines: number }>(items: T[]): T =>
  items.reduce((longest, item) => (item.lines > longest.lines ? item : longest));

const lengths = (): string[] => {
  const paths = [...find(PARTS.src), ...find(PARTS.web), ...find(PARTS.packages)].filter(
    (path) => !isTest(path) && /\.tsx?$/.test(path),
  );
  const files = paths.map((path) => ({ path, text: readSource(path) }));
  const functions = files.flatMap(({ path, text }) =>
    functionsIn(path, text).map((each) => ({ ...each, path })),
  );
  const print = (
    name: string,
    items: { lines: number; path: string }[],
    longest: string,
  ): string => {
    const { median, p90, longest: most } = spreadOf(items.map(({ lines }) => lines));
    return `${name}: ${items.length}, lines: median ${median}, 90 % below ${p90}, longest ${most} (${longest})`;
  };
  const longest = longestOf(functions);
  const sized = files.map(({ path, text }) => ({ path, lines: linesOf(text) }));
  return [
    print("functions", functions, `${longest.name} in ${longest.path}`),
    print("files", sized, longestOf(sized).path),
  ];
};

const wordsOf = (pattern: string): number =>
  find(pattern).reduce(
    (sum, path) => sum + readSource(path).split(/\s+/).filter(Boolean).length,
    0,
  );

const passes = (): string =>
  execFileSync(process.execPath, [join(ROOT, "test/passes.ts")], { encoding: "utf8" }).trim();

const main = (): void => {
  for (const [name, { files, lines }] of Object.entries(sizes()))
    console.log(`${name}: ${lines} lines in ${files} files`);
  console.log(
    `docs: ${wordsOf("docs/**/*.md")} words, ${find("docs/design/*.md").length} chapters`,
  );
  for (const line of lengths()) console.log(line);
  console.log(`imports that run up: ${[...sources, ...clientSources].flatMap(importsUp).length}`);
  if (!process.argv.includes("--without-passes")) console.log(passes());
};

if (import.meta.main) main();
