// Reads the sources of the server, its packages and the web client, and says who may import whom, for the test of the
// architecture and for `npm run house`.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** Low to high: a place may import its own folder and everything before it. */
export const RANKS = [
  "packages/embedded-postgres",
  "platform",
  "domain/base",
  "domain/people",
  "domain/posts",
  "domain/reading",
  "domain/staff",
  "domain/about",
  "federation",
  "flows",
  "pages",
  "moving",
  "top",
  "for-packages",
  "packages",
];

export type Source = { path: string; text: string; place: string };

export const placeOf = (path: string): string => {
  const inside = path.replace(/^src\//, "");
  return RANKS.find((rank) => inside.startsWith(`${rank}/`)) ?? "top";
};

/** Returns the slice of a path: a folder of a wing; outside of the domain the place itself. */
export const sliceOf = (path: string): string =>
  /^src\/(domain\/[^/]+\/[^/]+)\//.exec(path)?.[1] ?? placeOf(path);

/** Tests and benchmark parts of a package, which may use those of the whole project. */
export const OF_TESTS = /\.test\.tsx?$|^packages\/[\w-]+\/(?:test|bench)\//;

export const readSource = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export const sources: Source[] = globSync("{src,bin,packages}/**/*.ts", { cwd: ROOT })
  .filter((path) => !OF_TESTS.test(path))
  .map((path) => ({ path, text: readSource(path), place: placeOf(path) }));

export const clientSources: Source[] = globSync("web/src/**/*.{ts,tsx}", { cwd: ROOT }).map(
  (path) => ({ path, text: readSource(path), place: "web" }),
);

/** Returns the local imports of a file, as paths from the root. */
export const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    relative(ROOT, join(ROOT, dirname(path), match[1]!)),
  );

/** Returns the imports of a file that rank above it. */
export const importsUp = (source: Source): string[] =>
  importsOf(source)
    .filter((path) => /^(?:src|packages)\//.test(path))
    .filter((path) => RANKS.indexOf(placeOf(path)) > RANKS.indexOf(source.place));
