// Where compiled code is kept, so that a start compiles nothing: with what was installed, and not in the system's
// temporary folder, which is emptied, and which others may write to.

import { constants, enableCompileCache } from "node:module";

const FOLDER = new URL("../node_modules/.cache/compiled/", import.meta.url).pathname;

/**
 * Young memory has at most three times 8 MB, and old memory is collected when it grew by 30 %, which keeps the heap
 * 75 MB smaller under load at no measurable CPU (docs/design/foundations.md). Compiled code fits one set of flags.
 */
export const HEAP = ["--max-semi-space-size=8", "--heap-growing-percent=30"];

const { env } = process;

/**
 * For the environment of a process of node: its first file is read from the cache, too. Otherwise what takes types out
 * of code is loaded, which takes 8 MB for as long as the process runs.
 */
export const COMPILED = { NODE_COMPILE_CACHE: env["NODE_COMPILE_CACHE"] ?? FOLDER };

/** In this folder, unless NODE_COMPILE_CACHE names another one. */
export const useCompileCache = (): void => {
  const { status } = enableCompileCache(FOLDER);
  // The folder is somebody else's, and nothing was compiled when it was installed.
  if (status === constants.compileCacheStatus.FAILED) enableCompileCache();
};
