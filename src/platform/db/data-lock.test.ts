// The lock of a data folder: one holder at a time, and dead holders do not count.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { ConfigError } from "../errors.ts";
import { takeDataLock, tryDataLock } from "./data-lock.ts";
import { processIdentity } from "./process-identity.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rookery-lock-"));
  file = join(folder, "rookery.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (pid: number, identity: string | null, role = "server") =>
  writeFileSync(file, JSON.stringify({ pid, identity, role }));

test("is held until released, and only by one", async () => {
  const lock = await takeDataLock(folder, "server");
  await assert.rejects(takeDataLock(folder, "server"), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, new RegExp(`another Rookery process \\(pid ${process.pid}\\)`));
    return true;
  });
  lock.release();
  assert.deepEqual(readdirSync(folder), []);
  (await takeDataLock(folder, "server")).release();
});

test("a dead holder's lock is taken over", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  write(pid, "gone");
  const lock = await takeDataLock(folder, "server");
  assert.equal(JSON.parse(readFileSync(file, "utf8")).pid, process.pid);
  lock.release();
});

test("the lock of a process id that another program has now does not count", async () => {
  write(process.ppid, "an earlier process");
  (await takeDataLock(folder, "server")).release();
  write(process.ppid, processIdentity(process.ppid));
  await assert.rejects(takeDataLock(folder, "server"), ConfigError);
});

test("a broken file does not count, after a moment in which it may still be written", async () => {
  writeFileSync(file, "");
  assert.deepEqual(tryDataLock(folder, "server"), { holder: null });
  utimesSync(file, 0, 0);
  (await takeDataLock(folder, "server")).release();
});

test("release leaves another's lock alone", async () => {
  const lock = await takeDataLock(folder, "server");
  write(process.ppid, processIdentity(process.ppid));
  lock.release();
  assert.equal(existsSync(file), true);
});

test("waits for a command, but not for ever", async () => {
  const command = await takeDataLock(folder, "command");
  await assert.rejects(takeDataLock(folder, "server", 100), ConfigError);
  setTimeout(() => command.release(), 100);
  (await takeDataLock(folder, "server", 5000)).release();
});

test("of many processes that find a dead holder's lock, one gets it", async () => {
  const source = `
    import { tryDataLock } from ${JSON.stringify(new URL("data-lock.ts", import.meta.url).href)};
    process.stdin.once("data", () => {
      console.log("lock" in tryDataLock(${JSON.stringify(folder)}, "server") ? "got" : "no");
      process.stdin.once("data", () => process.exit());
    });
    console.log("ready");`;
  write(1, "an earlier boot");
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", source], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const answers = () => Promise.all(children.map(({ stdout }) => once(stdout, "data")));
  await answers();
  const results = answers();
  for (const { stdin } of children) stdin.write("go\n");
  const words = (await results).map(([data]) => String(data).trim());
  for (const { stdin } of children) stdin.end("end\n");
  await Promise.all(children.map((child) => once(child, "exit")));
  assert.equal(words.filter((word) => word === "got").length, 1, words.join());
});
