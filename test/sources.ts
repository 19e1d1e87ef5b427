// Reads the sources of the server, its packages and the web client, and says who may import whom, for the test of the
// architecture and for `npm run house`.

import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** The places from low to high: each may import its own folder and everything before it. */
export const RANKS = [
  "packages/embedded-postgres",
  "packages/sso",
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
  "top",
  "packages",
];

/**
 * The same for the web client, by its folders and the files that stand beside them: the folder `browser` (listens in
 * the window and navigates) is above the pages, the folder `window` (used by views and pages) is below them; `served`
 * has the views that only the server draws.
 */
export const CLIENT_RANKS = [
  "vite-env.d.ts",
  "texts",
  "worker",
  "api",
  "look.ts",
  "store",
  "acts",
  "app.ts",
  "site.ts",
  "text",
  "window",
  "elements",
  "compose",
  "views",
  "pages",
  "viewer",
  "served",
  "browser",
  "servers-page.ts",
  "document.tsx",
  "pieces.ts",
  "kept-posts.ts",
  "answers.ts",
  "state-text.ts",
  "server.tsx",
  "client.tsx",
];

export type Source = { path: string; text: string; place: string };

const CLIENT = "web/src/";

export const placeOf = (path: string): string => {
  if (path.startsWith(CLIENT)) return path.slice(CLIENT.length).split("/", 1)[0]!;
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

export const clientSources: Source[] = globSync(`${CLIENT}**/*.{ts,tsx}`, { cwd: ROOT }).map(
  (path) => ({ path, text: readSource(path), place: placeOf(path) }),
);

/** Returns the local imports of a file, as paths from the root. */
export const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    relative(ROOT, join(ROOT, dirname(path), match[1]!)),
  );

/** What a file imports although it ranks above it. */
export const importsUp = (source: Source): string[] => {
  const isClient = source.path.startsWith(CLIENT);
  const ranks = isClient ? CLIENT_RANKS : RANKS;
  return importsOf(source)
    .filter((path) => (isClient ? path.startsWith(CLIENT) : /^(?:src|packages)\//.test(path)))
    .filter((path) => ranks.indexOf(placeOf(path)) > ranks.indexOf(source.place));
};
