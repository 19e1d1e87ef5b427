#!/usr/bin/env node
// The one executable: the server and every administration command.

import { COMPILED, HEAP, useCompileCache } from "./compile-cache.ts";

/**
 * Replaces the server by itself (same process, 20 ms) with a single heap of the C library, a small V8 heap, and this
 * file read from the cache. glibc gives every thread a heap of its own, and what node's helper threads leave in theirs
 * at the start (11 MB) is never returned. The number of heaps and V8's size are fixed when a program starts.
 */
const useOneHeap = (): void => {
  const { env, execArgv, execPath, argv, platform } = process;
  const server = argv[2] === "start" && platform === "linux" && process.send === undefined;
  const debugged = execArgv.some((option) => option.startsWith("--inspect"));
  if (!server || debugged || env["MALLOC_ARENA_MAX"] !== undefined) return;
  const args = [execPath, ...HEAP, ...execArgv, ...argv.slice(1)];
  process.execve?.(execPath, args, { ...env, ...COMPILED, MALLOC_ARENA_MAX: "1" });
};

useOneHeap();
useCompileCache();
const { run } = await import("../src/cli/run.ts");
await run(process.argv);
