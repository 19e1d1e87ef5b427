// What no server reads of the packages that it needs: a third of them, and two files of three.

import { basename } from "node:path";

/** Types and sources that Node does not run, maps, texts for readers, and what compilers and linters read. */
const FILES =
  /\.(?:map|test\.[cm]?js|[cm]?ts|tsx|flow|markdown|yml|yaml|h|c|cc|cpp|a|tsbuildinfo|bare)$|^\.|^(?:tsconfig|eslint|jest|vitest|tap|karma|rollup|webpack)[\w.-]*\.(?:json|c?js|mjs)$/;

/** Markdown is left out, except of licences. */
const TEXTS = /^(?!licen[cs]e|notice|copying).*\.md$/i;

/** Folders at the top of a package; further down, code has such names. */
const FOLDERS =
  /^(?:tests?|__tests__|docs?|examples?|benchmarks?|bench|coverage|prebuilds|man|include|share|build\/esnext|native\/lib\/(?:pkgconfig|postgresql\/pgxs))$/;

/**
 * What nobody asks for: names that may change, the decoder without WebAssembly and the one that is not bundled, and
 * what a compiler left.
 */
const UNUSED: Record<string, RegExp> = {
  "@opentelemetry/semantic-conventions": /^dist\/(?:experimental_|index-incubating)/,
  "libheif-js":
    /^libheif\/libheif\.js$|^libheif-wasm\/(?:libheif\.(?:js|wasm)|libheif-bundle\.mjs)$/,
  xml2js: /^lib\/xml2js\.bc\.js$/,
};

/** Whether a file or folder is left out of a package; `path` is the one inside. */
export const isLeftOut = (name: string, path: string): boolean =>
  FILES.test(basename(path)) ||
  TEXTS.test(basename(path)) ||
  FOLDERS.test(path) ||
  (UNUSED[name]?.test(path) ?? false);
