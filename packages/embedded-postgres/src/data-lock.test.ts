// The lock of a data folder: one holder at a time, and dead holders do not count.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { EmbeddedPostgresError } from "./error.ts";
import { takeDataLock } from "./data-lock.ts";
import { processIdentity } from "./process-identity.ts";

const name = "birds";
let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-lock-"));
  file = join(folder, "birds.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (pid: number, identity: string | null, role = "server") =>
  writeFileSync(file, JSON.stringify({ pid, identity, role }));

test("is held until released, and only by one", async () => {
  const lock = await takeDataLock(folder, "server", { name });
  await assert.rejects(takeDataLock(folder, "server", { name }), (error) => {
    assert.ok(error instanceof EmbeddedPostgresError);
    assert.match(error.message, new RegExp(`another server process \\(pid ${process.pid}\\)`));
    return true;
  });
  lock.release();
  assert.deepEqual(readdirSync(folder), ["birds.db.lock"]);
  (await takeDataLock(folder, "server", { name })).release();
});

test("a dead holder's lock is taken over", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  write(pid, "gone");
  const lock = await takeDataLock(folder, "server", { name });
  assert.equal(JSON.parse(readFileSync(file, "utf8")).pid, process.pid);
  lock.release();
});

test("the lock of a process id that another program has now does not count", async () => {
  write(process.ppid, "an earlier process");
  (await takeDataLock(folder, "server", { name })).release();
  write(process.ppid, processIdentity(process.ppid));
  await assert.rejects(takeDataLock(folder, "server", { name }), EmbeddedPostgresError);
});

test("a broken file of the holder does not count", async () => {
  writeFileSync(file, "{");
  (await takeDataLock(folder, "server", { name })).release();
});

/** A process that takes the lock and holds it until it is killed; `wrap` starts it in its own surroundings. */
const holdElsewhere = async (wrap: string[] = []) => {
  const source = `
    import { takeDataLock } from ${JSON.stringify(new URL("data-lock.ts", import.meta.url).href)};
    await takeDataLock(${JSON.stringify(folder)}, "server", { name: "${name}" });
    console.log("held");
    setInterval(() => {}, 1000);`;
  const [command, ...args] = [...wrap, process.execPath, "--input-type=module", "-e", source];
  const child = spawn(command!, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    pid: child.pid,
    async kill() {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
};

const inUse = { message: /already in use by another server/ };

test("a running server keeps its folder when one of the two files is deleted", async () => {
  const holder = await holdElsewhere();
  try {
    const content = readFileSync(file, "utf8");
    rmSync(file);
    await assert.rejects(takeDataLock(folder, "server", { name, timeoutMs: 100 }), inUse);
    writeFileSync(file, content);
    rmSync(join(folder, "birds.db.lock"));
    await assert.rejects(takeDataLock(folder, "server", { name }), inUse);
  } finally {
    await holder.kill();
  }
  (await takeDataLock(folder, "server", { name })).release();
});

test("a server in another container, whose process id means nothing here, holds the folder until it is dead", async () => {
  const container = ["unshare", "--pid", "--ipc", "--fork", "--mount-proc", "--kill-child"];
  const holder = await holdElsewhere(container);
  try {
    assert.notEqual(JSON.parse(readFileSync(file, "utf8")).pid, holder.pid);
    await assert.rejects(takeDataLock(folder, "server", { name }), inUse);
  } finally {
    await holder.kill();
  }
  const lock = await takeDataLock(folder, "server", { name });
  assert.deepEqual([lock.isSamePlace, lock.inherited], [false, true]);
  lock.release();
});

test("a folder whose lock is new inherits nothing", async () => {
  const lock = await takeDataLock(folder, "server", { name });
  assert.equal(lock.inherited, false);
  lock.release();
});

test("release leaves another's lock alone", async () => {
  const lock = await takeDataLock(folder, "server", { name });
  write(process.ppid, processIdentity(process.ppid));
  lock.release();
  assert.equal(existsSync(file), true);
});

test("waits for a command, but not for ever", async () => {
  const command = await takeDataLock(folder, "command", { name });
  await assert.rejects(
    takeDataLock(folder, "server", { name, timeoutMs: 100 }),
    EmbeddedPostgresError,
  );
  setTimeout(() => command.release(), 100);
  (await takeDataLock(folder, "server", { name, timeoutMs: 5000 })).release();
});

test("of many processes that find a dead holder's lock, one gets it", async () => {
  const source = `
    import { tryDataLock } from ${JSON.stringify(new URL("data-lock.ts", import.meta.url).href)};
    process.stdin.once("data", () => {
      console.log("lock" in tryDataLock(${JSON.stringify(folder)}, "server", { name: "${name}" }) ? "got" : "no");
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
