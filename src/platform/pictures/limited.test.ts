// What a decoder may use of the processor: a process that works is ended by what it used, one that waits is given longer.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { limitProcessor, makeNice } from "./limited.ts";

const children: ChildProcess[] = [];

const run = async (code: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ["--eval", `process.stdout.write("up"); ${code}`], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
};

const untilLate = (child: ChildProcess, ms: number, patience: number): Promise<void> =>
  new Promise((resolve) => void limitProcessor(child, ms, resolve, patience));

const usedMs = ({ pid }: ChildProcess): number => {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
};

after(() => {
  for (const child of children) child.kill("SIGKILL");
});

test("a process that works is late when it has used its time, however long that takes", async () => {
  const child = await run("for (;;);");
  const before = usedMs(child);
  await untilLate(child, 200, 1000);
  assert.ok(usedMs(child) - before >= 200);
});

test("one that waits is not late when that time is over by the clock, but later", async () => {
  const child = await run("setInterval(() => {}, 1000);");
  const began = performance.now();
  await untilLate(child, 100, 5);
  assert.ok(performance.now() - began >= 500);
});

test("what is done in time is never late", async () => {
  const child = await run("for (;;);");
  const unwatch = limitProcessor(child, 50, () => assert.fail("it was done"), 1000);
  unwatch();
  await untilLate(child, 100, 1000);
});

test("where memory runs out Linux ends what reads files from strangers, and not the server", async (t) => {
  if (process.platform !== "linux") return t.skip("Linux alone has these scores");
  const child = await run("setInterval(() => {}, 1000);");
  makeNice(child);
  assert.equal(readFileSync(`/proc/${child.pid}/oom_score_adj`, "utf8"), "1000\n");
  assert.notEqual(readFileSync("/proc/self/oom_score_adj", "utf8"), "1000\n");
});
