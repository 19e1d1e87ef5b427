// Old and new processes side by side, where `upgrade --check` says that they can be: one of the last release goes on
// reading and writing while one of this version starts beside it and migrates.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cloneDatabase, dropDatabase, withDatabase } from "../../../test/database.ts";
import { freePort } from "../../../test/free-port.ts";
import { startRedis, withoutRedis } from "../../../test/redis-server.ts";
import { connect } from "../../../src/platform/db/index.ts";
import {
  ROOT,
  checkOut,
  hasCommit,
  programOf,
  readVersions,
  stop,
  untilReady,
} from "../test/dump.ts";
import { checkDump, restoreDump } from "../test/restored.ts";
import { planUpgrade } from "./plan.ts";

/** The release before this version; versions such as 0.2.0-dev.1 are no releases. */
const released = readVersions().findLast(({ version }) => !version.includes("-"))!;

const withoutCommit = hasCommit(released.commit)
  ? false
  : `the repository has no commit ${released.commit}: fetch all of it`;

/** An empty database, dropped afterwards. */
const emptyDatabase = async () => {
  const server = await cloneDatabase();
  const name = `beside_${randomBytes(6).toString("hex")}`;
  const root = connect(server.url, { max: 1, application: "tests" });
  await root.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    url: withDatabase(server.url, name),
    async drop() {
      await dropDatabase(root, name);
      await root.end();
      await server.drop();
    },
  };
};

type Sent = { path: string; status: number; json: any };

const senderTo =
  (url: string, domain: string, token: string) =>
  async (path: string, body?: object): Promise<Sent> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(url + path, {
      headers: { ...headers, host: domain },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { path, status: response.status, json: await response.json().catch(() => null) };
  };

type Send = ReturnType<typeof senderTo>;

const READ = [
  "/api/v1/timelines/home",
  "/api/v1/timelines/public?local=true",
  "/api/v1/notifications",
  "/api/v1/accounts/verify_credentials",
  "/api/v2/search?q=dumps",
  "/api/v1/bookmarks",
  "/api/v2/instance",
];

/** Reads and posts until `isOver`, at least once; returns what was posted. */
const useIt = async (send: Send, name: string, isOver: () => boolean): Promise<string[]> => {
  const posted: string[] = [];
  do {
    for (const path of READ) {
      const { status } = await send(path);
      assert.equal(status, 200, `${name}: ${path}`);
    }
    const status = `${name} ${posted.length}`;
    const sent = await send("/api/v1/statuses", { status });
    assert.equal(sent.status, 200, `${name}: ${JSON.stringify(sent.json)}`);
    posted.push(sent.json.id);
  } while (!isOver());
  return posted;
};

test(
  "a process of the last release goes on while one of this version migrates",
  {
    skip: withoutCommit || withoutRedis,
  },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "rookery-beside-"));
    const database = await emptyDatabase();
    const redis = await startRedis();
    const closers: (() => Promise<void>)[] = [redis.close, database.drop];
    try {
      const checked = await checkDump(released);
      const domain = checked.manifest.local_domain;
      const env = async () => ({
        PATH: process.env["PATH"]!,
        HOME: folder,
        PORT: String(await freePort()),
        LOCAL_DOMAIN: domain,
        LOCAL_HTTPS: "false",
        DATA_DIR: join(folder, "data"),
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        RATE_LIMITS: "false",
        LOG_LEVEL: "error",
      });
      const [oldEnv, newEnv] = [await env(), await env()];
      await restoreDump(checked, oldEnv, database.url);
      const before = programOf(checkOut(released.commit, folder), folder, oldEnv);
      const token = await before.run("tokens", "create", "alice", "--scopes", "read write");
      const started = async (program: typeof before, roles: string, { PORT }: typeof oldEnv) => {
        const server = program.start("--roles", roles);
        closers.unshift(() => stop(server));
        const url = `http://127.0.0.1:${PORT}`;
        await untilReady(server, url);
        return senderTo(url, domain, token);
      };
      const old = await started(before, "web", oldEnv);

      const sql = connect(database.url, { max: 1, application: "tests" });
      const { migrations } = await planUpgrade(sql);
      await sql.end();
      assert.ok(migrations.length > 0);
      let isUp = false;
      const going = useIt(old, "old", () => isUp);
      const starting = started(programOf(ROOT, folder, newEnv), "web,worker", newEnv).finally(
        () => (isUp = true),
      );
      const [present, posted] = await Promise.all([starting, going]);
      const after = await useIt(old, "old after", () => true);
      const ours = await useIt(present, "present", () => true);
      for (const id of [...posted, ...after])
        assert.equal((await present(`/api/v1/statuses/${id}`)).status, 200);
      for (const id of ours) assert.equal((await old(`/api/v1/statuses/${id}`)).status, 200);
    } finally {
      for (const close of closers) await close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
