// Takes code without types from one file, which the end of npm ci wrote. From its own cache (compile-cache.ts) Node
// would keep a second copy of every file for as long as the process runs: 7 MB.

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { crc32 } from "node:zlib";

const ROOT = new URL("..", import.meta.url).href;
export const STRIPPED = new URL("../node_modules/.cache/stripped.json", import.meta.url);

/** By paths in this folder: the checksum of a file, and its code without types. */
export type Stripped = Record<string, [sum: number, code: string]>;

/** Milliseconds after the last load for which the others' code is kept: a process with the streams needs not half. */
const KEPT_MS = 500;

let stripped: Stripped | null = null;
const forgetting = setTimeout(() => (stripped = null), KEPT_MS).unref();

const read = (): Stripped => {
  try {
    return JSON.parse(readFileSync(STRIPPED, "utf8")) as Stripped;
  } catch {
    return {}; // nobody wrote it, and Node takes the types out
  }
};

/** A file that was changed since is loaded as Node does. */
export const useStripped = (): void => {
  registerHooks({
    load(url, context, next) {
      const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : "";
      if (!/^(?:src|texts)\//.test(path)) return next(url, context);
      forgetting.refresh();
      stripped ??= read();
      const [sum, code = ""] = stripped[path] ?? [];
      delete stripped[path];
      if (sum === undefined || crc32(readFileSync(new URL(url))) !== sum) return next(url, context);
      return { format: "module", source: code, shortCircuit: true };
    },
  });
};
