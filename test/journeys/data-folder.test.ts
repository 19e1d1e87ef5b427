// Where the data is and whose it is: commands never make a data folder, the names of a server are stored with its data,
// and a running server is found whatever files are deleted.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../command-line.ts";
import { freePort } from "../free-port.ts";
import { isSplit } from "./layouts.ts";
import { makeFolder, removeFolder } from "./process.ts";
import { rookery, startServer } from "./server.ts";
import type { CliResult, RealServer } from "./server.ts";

const folders: string[] = [];
const folder = (): string => {
  const path = makeFolder();
  folders.push(path);
  return path;
};
after(() => folders.forEach(removeFolder));

type InFolder = { cwd: string; env?: Record<string, string> };

/** Runs a command in this process, as if it was typed in a folder. */
const typed = async (args: string[], { cwd, env = {} }: InFolder): Promise<CliResult> => {
  const before = process.cwd();
  process.chdir(cwd);
  try {
    return await runCommand(env, args);
  } finally {
    process.chdir(before);
  }
};

const assertRefused = (result: CliResult, words: RegExp): void => {
  assert.equal(result.code, 1, result.out);
  assert.match(result.err, /^rookery: [^\n]+\.\n?$/);
  assert.match(result.err, words);
};

const only = { skip: isSplit ? "the built-in database alone" : false };

describe("in a folder without data", only, () => {
  const commands = [
    ["accounts", "create", "alice", "--email", "alice@example.com"],
    ["backup", "x.backup"],
    ["migrate"],
    ["media", "move"],
  ];

  it("every command says where it looked, and makes nothing", async () => {
    for (const args of commands) {
      const cwd = folder();
      const words = new RegExp(`no (?:database in|folder) ${cwd}/data: set DATA_DIR `);
      assertRefused(await typed(args, { cwd }), words);
      assert.deepEqual(readdirSync(cwd), []);
    }
  });

  it("neither in one that is there and empty, nor secrets for another database", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "data"));
    assertRefused(await typed(["settings", "list"], { cwd }), /There is no database in/);
    assert.deepEqual(readdirSync(join(cwd, "data")), []);
  });
});

describe("the names of a server", only, () => {
  let server: RealServer;
  after(() => server?.remove());
  const bare = () => ({ DATA_DIR: server.dataDir });

  it("are known to a command that is run while the server starts for the first time", async () => {
    const cwd = folder();
    const create = ["accounts", "create", "bob", "--email", "bob@example.com", "--confirmed"];
    const starting = startServer({ first: true, dataDir: cwd });
    while (!existsSync(join(cwd, "rookery.db.lock"))) await sleep(10);
    const { code, err } = await rookery(create, { cwd, env: { DATA_DIR: cwd } });
    server = await starting;
    assert.equal(code, 0, err);
    const path = `/.well-known/webfinger?resource=acct:bob@${server.host}`;
    const { json } = await server.request("GET", path);
    assert.ok(json.aliases.includes(`${server.url}/users/bob`), JSON.stringify(json));
  });

  it("are in a backup by a command without the server's settings, and restored with it", async () => {
    const [cwd, file] = [folder(), join(folder(), "x.backup")];
    const result = await typed(["backup", file], { cwd, env: bare() });
    assert.equal(result.code, 0, result.err);
    const check = ["restore", file, "--check", "--json"];
    const { manifest } = JSON.parse((await typed(check, { cwd })).out);
    assert.equal(manifest.local_domain, server.host);
    assert.equal(manifest.https, false);
    const other = { LOCAL_DOMAIN: "other.example" };
    const words = new RegExp(`is a backup of ${server.host}, .* LOCAL_DOMAIN=${server.host}`);
    assertRefused(await typed(["restore", file], { cwd, env: other }), words);
    assert.deepEqual(readdirSync(cwd), []);
    const restored = await typed(["restore", file], { cwd });
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.out, new RegExp(`Set LOCAL_DOMAIN=${server.host} before you start it`));
    assertRefused(await typed(["settings", "list"], { cwd, env: other }), /set LOCAL_DOMAIN=127/);
  });

  it("a running server is found without its locks and without the pid file", async () => {
    for (const name of ["rookery.lock", "rookery.db.lock", "postgres/postmaster.pid"]) {
      rmSync(join(server.dataDir, name));
      const listed = await server.cli(["settings", "list"]);
      assert.equal(listed.code, 0, `${name}: ${listed.err}`);
    }
  });

  it("a command with others is refused, and so is a start", async () => {
    const { cli, env } = server;
    const cwd = server.dataDir;
    const other = { ...env, LOCAL_DOMAIN: "other.example" };
    assertRefused(await typed(["settings", "list"], { cwd, env: other }), /set LOCAL_DOMAIN=/);
    assert.equal((await cli(["settings", "list"])).code, 0);
    await server.stop();
    const port = String(await freePort());
    const changes: [Record<string, string>, RegExp][] = [
      [
        { LOCAL_DOMAIN: "other.example" },
        /would be other\.example: set LOCAL_DOMAIN=127\.0\.0\.1:/,
      ],
      [{ LOCAL_DOMAIN: "", PORT: port }, /would be localhost:\d+: set LOCAL_DOMAIN=127/],
    ];
    for (const [change, words] of changes) {
      assertRefused(await rookery(["start"], { cwd, env: { ...env, ...change } }), words);
    }
  });
});
