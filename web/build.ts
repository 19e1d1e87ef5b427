// Builds the web client: dist/client (what browsers load: names with hashes, each also as brotli and gzip),
// dist/server.js (render, which the server loads) and dist/paths.json (addresses of pages, which the server routes).
// `--if-changed`: only when a source is newer than what is there.

import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import type { InlineConfig, Rolldown } from "vite";
import { documentedEntities, writeEntities } from "./entities.ts";
import { sourcesHash, STAMP } from "./sources.ts";
import { writeTexts } from "./texts.ts";
import type { TextFiles } from "./texts.ts";

const ROOT = import.meta.dirname;
const DIST = join(ROOT, "dist");
const CLIENT = join(DIST, "client");

/** Bytes with gzip that a first view may load; the build fails above it. */
const BUDGET = { script: 90_000, style: 15_000 };

type Chunk = { file: string; css?: string[]; imports?: string[] };
type Manifest = Record<string, Chunk>;

const ENTRY = "src/client.tsx";
/** Styles of pages that the server draws itself: those of all of them, and those of the staff. */
const SERVED_STYLE = "src/styles/served.css";
const STAFF_STYLE = "src/styles/staff.css";

const common: InlineConfig = {
  root: ROOT,
  configFile: false,
  logLevel: "warn",
  base: "/web/",
  publicDir: false,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
};

const buildClient = async (): Promise<Rolldown.RolldownOutput> =>
  (await build({
    ...common,
    build: {
      outDir: CLIENT,
      manifest: "manifest.json",
      target: "es2023",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rollupOptions: {
        input: [ENTRY, SERVED_STYLE, STAFF_STYLE].map((path) => join(ROOT, path)),
        // The main file contains all of its static imports, so that later chunks share it instead of adding files.
        output: { codeSplitting: { groups: [{ name: "main", test: /src\/client\.tsx$/ }] } },
      },
      reportCompressedSize: false,
    },
  })) as Rolldown.RolldownOutput;

/** Returns the entry and its static imports, without what it loads later. */
const firstFiles = (manifest: Manifest) => {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const add = (key: string): void => {
    const { file, css = [], imports = [] } = manifest[key]!;
    if (scripts.has(file)) return;
    scripts.add(file);
    for (const path of css) styles.add(path);
    for (const next of imports) add(next);
  };
  add(ENTRY);
  return { scripts: [...scripts], styles: [...styles] };
};

/** Returns the sources of the first view's files, and of the others. */
const modulesOf = ({ output }: Rolldown.RolldownOutput, first: readonly string[]) => {
  const chunks = output.filter((each) => each.type === "chunk");
  const of = (isFirst: boolean): string[] =>
    chunks
      .filter(({ fileName }) => first.includes(fileName) === isFirst)
      .flatMap(({ moduleIds }) => moduleIds);
  return { first: of(true), rest: of(false) };
};

const SERVERS_PAGE = "servers-page";

/** Builds the script of the pages that the server draws itself; returns its path. */
const buildServersPage = async (): Promise<string> => {
  await build({
    ...common,
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      target: "es2023",
      reportCompressedSize: false,
      rollupOptions: {
        input: join(ROOT, `src/${SERVERS_PAGE}.ts`),
        output: { entryFileNames: "assets/[name]-[hash].js" },
      },
    },
  });
  return globSync(`assets/${SERVERS_PAGE}-*.js`, { cwd: CLIENT })[0]!;
};

type Files = ReturnType<typeof firstFiles> & {
  /** By language. */
  texts: Record<string, TextFiles>;
  serversPage: string;
  servedStyle: string;
  staffStyle: string;
};

const buildServer = (files: Files): Promise<unknown> =>
  build({
    ...common,
    define: { __FILES__: JSON.stringify(files) },
    ssr: { noExternal: true },
    build: {
      outDir: DIST,
      emptyOutDir: false,
      ssr: true,
      target: "node24",
      minify: false,
      rollupOptions: {
        input: join(ROOT, "src/server.tsx"),
        output: { entryFileNames: "server.js" },
      },
    },
  });

/** Builds the service worker: a script of its own that knows all files of the client, loaded by no page. */
const buildWorker = ({ servedStyle, staffStyle }: Files): Promise<unknown> => {
  const files = globSync("assets/*.{js,css,svg,woff2}", { cwd: CLIENT })
    .filter((path) => path !== servedStyle && path !== staffStyle)
    // The worker keeps the texts that are used (worker/worker.ts).
    .filter((path) => !path.startsWith("assets/texts-"))
    .sort();
  const version = createHash("sha256").update(files.join(" ")).digest("hex").slice(0, 16);
  return build({
    ...common,
    define: {
      __CLIENT_FILES__: JSON.stringify(files.map((path) => `/web/${path}`)),
      __VERSION__: JSON.stringify(version),
    },
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      target: "es2023",
      reportCompressedSize: false,
      rollupOptions: {
        input: join(ROOT, "src/worker/worker.ts"),
        output: { format: "iife", entryFileNames: "sw.js" },
      },
    },
  });
};

const compress = (): void => {
  for (const path of globSync("**/*.{js,css,svg,json}", { cwd: CLIENT })) {
    const data = readFileSync(join(CLIENT, path));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    writeFileSync(join(CLIENT, `${path}.br`), brotliCompressSync(data, { params }));
    writeFileSync(join(CLIENT, `${path}.gz`), gzipSync(data, { level: 9 }));
  }
};

const gzipped = (paths: string[]): number =>
  paths.reduce((sum, path) => sum + readFileSync(join(CLIENT, `${path}.gz`)).length, 0);

const checkBudget = ({ scripts, styles, texts }: Files): void => {
  const longest = Math.max(...Object.values(texts).map(({ first }) => gzipped([first])));
  const sizes = { script: gzipped(scripts) + longest, style: gzipped(styles) };
  for (const kind of ["script", "style"] as const) {
    const line = `${kind} of the first view: ${sizes[kind]} of ${BUDGET[kind]} bytes (gzip)`;
    if (sizes[kind] > BUDGET[kind]) throw new Error(`The web client is too large: ${line}`);
    console.log(line);
  }
};

const STAMP_FILE = join(ROOT, STAMP);
const entities = createHash("sha256").update(JSON.stringify(documentedEntities()));
const stamp = `${sourcesHash()} ${entities.digest("hex")}`;
const isBuilt =
  existsSync(STAMP_FILE) &&
  readFileSync(STAMP_FILE, "utf8") === stamp &&
  existsSync(join(ROOT, "src/api/entities.ts"));
if (!process.argv.includes("--if-changed") || !isBuilt) {
  rmSync(DIST, { recursive: true, force: true });
  mkdirSync(DIST, { recursive: true });
  writeEntities();
  const output = await buildClient();
  const manifest = JSON.parse(readFileSync(join(CLIENT, "manifest.json"), "utf8")) as Manifest;
  const first = firstFiles(manifest);
  const files = {
    ...first,
    texts: writeTexts(CLIENT, modulesOf(output, first.scripts)),
    serversPage: await buildServersPage(),
    servedStyle: manifest[SERVED_STYLE]!.file,
    staffStyle: manifest[STAFF_STYLE]!.file,
  };
  await buildWorker(files);
  compress();
  checkBudget(files);
  await buildServer(files);
  const { pagePaths } = (await import(join(DIST, "server.js"))) as { pagePaths: readonly string[] };
  writeFileSync(join(DIST, "paths.json"), JSON.stringify(pagePaths));
  writeFileSync(STAMP_FILE, stamp);
}
