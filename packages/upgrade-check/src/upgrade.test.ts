// Upgrades of an installation whose database is of 0.1.0: to a version that serves, to ones that do not, and what then
// becomes of the database.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import type { TestContext } from "node:test";
import { freePort } from "../../../test/free-port.ts";
import { startEmbedded } from "../../../src/platform/db/embedded.ts";
import { connect } from "../../../src/platform/db/index.ts";
import { ROOT, dumpOf, readVersions, stop, untilReady } from "../test/dump.ts";
import { checkDump, restoreDump } from "../test/restored.ts";
import { findLink } from "./installation.ts";
import type { Ended, Installation } from "./installation.ts";
import { upgrade } from "./upgrade.ts";

const [oldest] = readVersions();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "rookery-upgrade-")));
const versions = join(folder, "versions");
const link = join(versions, "current");
const dataDir = join(folder, "data");
let env: Record<string, string>;
let server: ChildProcess | null = null;
let said: string[];

/** Says that it serves, as a server of the version before does. */
const SERVES = `require("node:http").createServer((_, response) => response.end("old")).listen(process.env.PORT, "127.0.0.1")`;

const SERVER = `"${process.execPath}" -e '${SERVES}'`;

/** Commands of a version in shell; others are those of this one. */
const makeVersion = (name: string, commands: Record<string, string>): string => {
  const at = join(versions, name);
  mkdirSync(join(at, "bin"), { recursive: true });
  const cases = Object.entries(commands).map(([word, command]) => `${word}) ${command} ;;`);
  const real = `exec "${process.execPath}" "${ROOT}/bin/rookery.ts" "$@"`;
  const text = ["#!/bin/sh", 'case "$1" in', ...cases, "esac", real];
  writeFileSync(join(at, "bin/rookery"), text.join("\n"), { mode: 0o755 });
  return at;
};

const run = (program: string, words: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(program, words, { cwd: folder, env, stdio: ["ignore", "pipe", 2] });
    let out = "";
    child.stdout!.on("data", (chunk: Buffer) => (out += chunk));
    child.once("close", (code) => resolve({ code, out }));
  });

const service = {
  async start(): Promise<void> {
    server = spawn(join(link, "bin/rookery"), ["start"], { cwd: folder, env, stdio: "ignore" });
  },
  async stop(): Promise<void> {
    if (server) await stop(server);
    server = null;
  },
};

const readyz = (): string => `http://127.0.0.1:${env["PORT"]}/readyz`;

const linkTo = (target: string): void => {
  rmSync(link, { force: true });
  symlinkSync(target, link);
};

const FORMER = join(versions, "rookery-1");

const installation = (next: string, members: Partial<Installation> = {}): Installation => ({
  former: FORMER,
  next,
  place: async () => linkTo(next),
  putBack: async () => linkTo(FORMER),
  clear() {},
  dataDir,
  isEmbedded: true,
  backupTo: join(folder, "today.backup"),
  isReady: async () => (await fetch(readyz()).catch(() => null))?.ok ?? false,
  waitMs: 60_000,
  service,
  rookery: (at, ...words) => run(join(at, "bin/rookery"), words),
  copy: async (from, to) => void execFileSync("cp", ["-a", from, to]),
  ...members,
});

const upgradeTo = (next: string, members: Partial<Installation> = {}) =>
  upgrade(installation(next, members), (text) => said.push(text));

/** Asks the database of the data folder, while no server has it. */
const ask = async (query: string): Promise<Record<string, unknown>[]> => {
  const database = await startEmbedded({ dataDir, durable: false });
  const sql = connect(database.url, { max: 1, application: "tests" });
  try {
    return [...(await sql.unsafe(query))];
  } finally {
    await sql.end();
    await database.stop();
  }
};

const isMigrated = async (): Promise<boolean> =>
  (await ask("SELECT FROM migrations WHERE name = '0385-update-feed.sql'")).length === 1;

const answer = async (): Promise<string> => (await fetch(readyz())).text();

const BACKUP = { backup: `cp "${dumpOf(oldest!)}" "$2"; exit` };
/** What a backup answers is tried once: it takes the longest. */
const UNTRIED = { restore: "exit 0" };
const WAITS = { waitMs: 2000 };

before(async () => {
  const checked = await checkDump(oldest!);
  const port = String(await freePort());
  env = {
    PATH: process.env["PATH"]!,
    HOME: folder,
    TMPDIR: folder,
    PORT: port,
    LOCAL_DOMAIN: checked.manifest.local_domain,
    LOCAL_HTTPS: "false",
    DATA_DIR: dataDir,
    LOG_LEVEL: "error",
  };
  const database = await startEmbedded({ dataDir, durable: false, restoring: true });
  await restoreDump(checked, env, database.url);
  await database.stop();
  execFileSync("cp", ["-a", dataDir, `${dataDir}.first`]);
  makeVersion("rookery-1", { ...BACKUP, start: `exec ${SERVER}` });
});
after(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  said = [];
  rmSync(dataDir, { recursive: true, force: true });
  execFileSync("cp", ["-a", `${dataDir}.first`, dataDir]);
  linkTo(FORMER);
  await service.start();
  await untilReady(server!, new URL(readyz()).origin);
});
afterEach(() => service.stop());

test("a version that serves takes over, after a backup and questions to a copy", async () => {
  const next = makeVersion("rookery-2", {});
  assert.equal(await upgradeTo(next), "done", said.join("\n"));
  assert.equal(realpathSync(link), next);
  assert.equal(await answer(), "OK");
  assert.ok(existsSync(join(folder, "today.backup")));
  assert.equal(existsSync(join(dataDir, "postgres.before-upgrade")), false);
  await service.stop();
  assert.equal(await isMigrated(), true);
});

test("one that does not start gives way to the former one, with the database as it was", async () => {
  const next = makeVersion("rookery-3", { ...UNTRIED, start: "exit 1" });
  assert.equal(await upgradeTo(next, WAITS), "went back", said.join("\n"));
  assert.equal(realpathSync(link), FORMER);
  assert.equal(await answer(), "old");
  await service.stop();
  assert.equal(await isMigrated(), false);
});

test("so does one whose migration fails", async () => {
  const next = makeVersion("rookery-4", { ...UNTRIED, migrate: "exit 1" });
  assert.equal(await upgradeTo(next, WAITS), "went back", said.join("\n"));
  assert.equal(await answer(), "old");
  assert.equal(existsSync(join(dataDir, "postgres.failed-upgrade")), false);
});

test("one that has written something stays, as that would be lost", async () => {
  const create = `"${process.execPath}" "${ROOT}/bin/rookery.ts" accounts create newcomer --email newcomer@people.example`;
  const next = makeVersion("rookery-5", { ...UNTRIED, start: `${create}; exit 1` });
  assert.equal(await upgradeTo(next, { waitMs: 12_000 }), "stayed", said.join("\n"));
  assert.equal(realpathSync(link), next);
  await service.stop();
  assert.equal((await ask("SELECT FROM accounts WHERE username = 'newcomer'")).length, 1);
});

test("nothing is touched where the backup, the check or the questions fail", async () => {
  for (const word of ["upgrade", "restore"]) {
    const next = makeVersion(`rookery-without-${word}`, { [word]: "exit 1" });
    await assert.rejects(upgradeTo(next), /failed, with the exit code 1/);
    assert.equal(realpathSync(link), FORMER);
    assert.equal(await answer(), "old");
  }
  await assert.rejects(upgradeTo(FORMER), /is what runs already/);
});

/**
 * Programs of the system as far as an upgrade uses them: a service of what is in SERVED, and packages that are archives
 * of a root.
 */
const SYSTEM = {
  systemctl: `
case "$1" in
  show) echo loaded ;;
  start) "$SERVED/bin/rookery" start >/dev/null 2>&1 & echo $! >"$HOME/pid" ;;
  stop)
    pid=$(cat "$HOME/pid")
    kill "$pid" 2>/dev/null
    while kill -0 "$pid" 2>/dev/null && ! grep -q " Z " "/proc/$pid/stat"; do sleep 0.1; done ;;
esac`,
  dpkg: `tar -xf "$2" -C "$HOME/root"`,
  "dpkg-deb": `tar -xf "$2" -C "$3"`,
};

const programs = join(folder, "programs");

/** Runs the command as it is typed; the system has what `served` is. */
const typed = async (served: string, ...words: string[]): Promise<Ended> => {
  mkdirSync(programs, { recursive: true });
  for (const [name, text] of Object.entries(SYSTEM))
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const before = env;
  env = { ...env, PATH: `${programs}:${env["PATH"]}`, SERVED: served };
  try {
    const [place, wait] = [join(folder, "typed.backup"), "60"];
    rmSync(place, { force: true });
    const all = ["upgrade", "--wait", wait, "--backup-to", place, ...words];
    return await run(process.execPath, [join(ROOT, "bin/rookery.ts"), ...all]);
  } finally {
    env = before;
  }
};

/** Starts what the service has, and stops it after the test. */
const serviceOf = async (t: TestContext, served: string): Promise<void> => {
  await service.stop();
  server = spawn(join(served, "bin/rookery"), ["start"], { cwd: folder, env, stdio: "ignore" });
  writeFileSync(join(folder, "pid"), String(server.pid));
  await untilReady(server, new URL(readyz()).origin);
  t.after(() => {
    try {
      process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
    } catch {
      // It has ended.
    }
  });
};

test("an archive is unpacked beside the present version, whose settings it gets", async (t) => {
  const next = makeVersion("rookery-7-linux-x64", { ...UNTRIED, start: `exec ${SERVER}` });
  const archive = join(folder, "rookery-7-linux-x64.tar.xz");
  execFileSync("tar", ["-cJf", archive, "-C", versions, "rookery-7-linux-x64"]);
  rmSync(next, { recursive: true });
  writeFileSync(join(FORMER, ".env"), "DISK_RESERVE_MB=1\n");
  await serviceOf(t, link);
  const { code, out } = await typed(link, archive, "--link", link);
  assert.equal(code, 0, out);
  assert.match(out, /The next version serves\./);
  assert.equal(realpathSync(link), next);
  assert.equal(readFileSync(join(next, ".env"), "utf8"), "DISK_RESERVE_MB=1\n");
});

test("of Debian packages the former one is installed again where the next one does not serve", async (t) => {
  const packageOf = (name: string, commands: Record<string, string>): string => {
    const root = join(folder, name);
    mkdirSync(join(root, "usr/lib"), { recursive: true });
    renameSync(makeVersion(name, commands), join(root, "usr/lib/rookery"));
    execFileSync("tar", ["-cf", `${root}.deb`, "-C", root, "usr"]);
    return `${root}.deb`;
  };
  const former = packageOf("rookery_8", { start: `exec ${SERVER}` });
  const next = packageOf("rookery_9", { ...UNTRIED, start: "exit 1" });
  mkdirSync(join(folder, "root"));
  execFileSync("tar", ["-xf", former, "-C", join(folder, "root")]);
  const served = join(folder, "root/usr/lib/rookery");
  await serviceOf(t, served);
  const without = await typed(served, next);
  assert.equal(without.code, 1);
  const { code, out } = await typed(served, next, "--back-to", former, "--wait", "2");
  assert.equal(code, 1);
  assert.match(out, /It went back: the former version serves again/);
  assert.equal(await answer(), "old");
});

test("the link is found beside the folder", () => {
  assert.equal(findLink(FORMER), link);
  assert.throws(() => findLink(versions), /No link leads to/);
  assert.match(readFileSync(join(link, "bin/rookery"), "utf8"), /^#!/);
});
