#!/usr/bin/env node
// The one executable: the server and every administration command.

import { COMPILED, HEAP, useCompileCache } from "./compile-cache.ts";

/**
 * glibc gives every thread a heap of its own, and what node's helper threads leave in theirs at the start
 * (11 MB) is never returned. The number of heaps is fixed when a program starts, and so is the size of
 * V8's, so the server replaces itself (same process, 20 ms) with one that has a single heap, and a small one, and reads
 * this file from the cache, too.
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
