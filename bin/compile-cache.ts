// Says where compiled code is kept, so that a start compiles nothing: next to what was installed, and not in the
// system's temporary folder, which is emptied and writable for others.

import { constants, enableCompileCache } from "node:module";

const FOLDER = new URL("../node_modules/.cache/compiled/", import.meta.url).pathname;

const { env } = process;

/**
 * Environment of a node process by which its first file is read from the cache, too. Otherwise the code that strips
 * types is loaded, which takes 8 MB for as long as the process runs.
 */
export const COMPILED = { NODE_COMPILE_CACHE: env["NODE_COMPILE_CACHE"] ?? FOLDER };

/** Uses the cache in this folder, unless NODE_COMPILE_CACHE names another one. */
export const useCompileCache = (): void => {
  const { status } = enableCompileCache(FOLDER);
  // The folder belongs to another user, and nothing was compiled at the installation.
  if (status === constants.compileCacheStatus.FAILED) enableCompileCache();
};
