#!/usr/bin/env node
// The one executable: the server and every administration command.

import { totalmem } from "node:os";
import { COMPILED, useCompileCache } from "./compile-cache.ts";
import { useStripped } from "./stripped.ts";

/** Bytes that this process may use: a container's limit, or the machine's memory. */
const MEMORY = Math.min(totalmem(), process.constrainedMemory() || Infinity);

/**
 * V8's flag: young memory has at most three times as many MB. With 16, pages take a sixth less CPU than with 8 and
 * growth by 30 %; 32 change nothing. V8 itself lets old memory grow by MEMORY: fourfold from 4 GB, by 30 % at 512 MB.
 */
const YOUNG = `--max-semi-space-size=${MEMORY < 2 ** 31 ? 8 : 16}`;

/**
 * Replaces the server by itself (same process, 20 ms) with a single heap of the C library, a bounded young memory, and
 * this file read from the cache. glibc gives every thread a heap of its own, and what node's helper threads leave in
 * theirs at the start (11 MB) is never returned. The number of heaps and V8's size are fixed when a program starts.
 */
const useOneHeap = (): void => {
  const { env, execArgv, execPath, argv, platform } = process;
  const server = argv[2] === "start" && platform === "linux" && process.send === undefined;
  const debugged = execArgv.some((option) => option.startsWith("--inspect"));
  if (!server || debugged || env["MALLOC_ARENA_MAX"] !== undefined) return;
  const args = [
    execPath,
    YOUNG,
    "--disable-warning=ExperimentalWarning",
    ...execArgv,
    ...argv.slice(1),
  ];
  process.execve?.(execPath, args, { ...env, ...COMPILED, MALLOC_ARENA_MAX: "1" });
};

useOneHeap();
useCompileCache();
useStripped();
const { run } = await import("../src/cli/run.ts");
await run(process.argv);
