// What systemd is told, by its own program and by one that writes it down.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { after, test } from "node:test";
import { createLogger } from "./log/index.ts";
import { openServiceManager } from "./service-manager.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-systemd-"));
after(() => rmSync(folder, { recursive: true }));

const written = join(folder, "written");
const program = join(folder, "systemd-notify");
writeFileSync(program, `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >> ${written}\n`, { mode: 0o755 });

const lines = (): string[] =>
  existsSync(written) ? readFileSync(written, "utf8").trimEnd().split("\n") : [];

const until = async (holds: () => boolean): Promise<void> => {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    assert.ok(Date.now() < deadline, lines().join("\n"));
    await sleep(10);
  }
};

test("ready, then again and again that it is not stuck, and at the end that it stops", async () => {
  const log = createLogger({ level: "silent", pretty: false });
  openServiceManager({}, log, program).ready();
  const env = { NOTIFY_SOCKET: "/run/notify", WATCHDOG_USEC: "20000" };
  openServiceManager({ ...env, WATCHDOG_PID: "1" }, log, program).ready();
  await until(() => lines().length === 1);
  assert.deepEqual(lines(), ["/run/notify READY=1"], "another process is watched");
  const manager = openServiceManager({ ...env, WATCHDOG_PID: String(process.pid) }, log, program);
  manager.ready();
  await until(() => lines().filter((line) => line === "/run/notify WATCHDOG=1").length >= 3);
  assert.equal(lines().filter((line) => line === "/run/notify READY=1").length, 2);
  manager.stopping();
  await until(() => lines().includes("/run/notify STOPPING=1"));
  // A message that was on its way may still come.
  await sleep(100);
  const before = lines().length;
  await sleep(100);
  assert.equal(lines().length, before, "nobody watches what stopped");
});

test("without systemd's program it says so, and goes on", () => {
  const said: string[] = [];
  const log = createLogger({ level: "warn", pretty: false }, { write: (line) => said.push(line) });
  openServiceManager({ NOTIFY_SOCKET: "/run/notify" }, log, null).ready();
  assert.match(said.join(), /there is no systemd-notify to send it/);
});
