// The caches of two processes over a real Valkey: what one invalidates the other drops, before it answers again.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cloneDatabase } from "../../../test/database.ts";
import { startRedis, withoutRedis } from "../../../test/redis-server.ts";
import type { RedisServer } from "../../../test/redis-server.ts";
import type { App } from "../app.ts";
import { createCaches } from "../caches/register.ts";
import { connect } from "../db/index.ts";
import type { Sql } from "../db/index.ts";
import { receiveOthersInvalidations } from "../db/invalidate-others.ts";
import { invalidate, onInvalidate } from "../db/commits.ts";
import type { CacheKey } from "../db/commits.ts";
import { createLogger } from "../log/index.ts";
import { attachWorker, wakeAll } from "../wake.ts";
import { createCacheSync } from "./cache-sync.ts";
import type { CacheSync } from "../app.ts";
import { connectRedis } from "./connection.ts";
import type { Connection } from "./connection.ts";

const log = createLogger({ level: "silent", pretty: false });

/** A process: what it has received, and how often it emptied its caches. */
class Process {
  readonly received: CacheKey[] = [];
  cleared = 0;
  readonly sql: Sql;
  readonly connection: Connection;
  readonly sync: CacheSync;
  readonly app: App;

  constructor(id: string, databaseUrl: string, redisUrl: string) {
    this.sql = connect(databaseUrl, { max: 2, application: "tests" });
    this.connection = connectRedis(redisUrl, "test:", log);
    const caches = createCaches(8, {});
    caches.register("probe", { entries: () => 0, clear: () => void (this.cleared += 1) });
    this.app = { sql: this.sql, log, caches, process: { id } } as unknown as App;
    this.sync = createCacheSync(this.app, this.connection);
    onInvalidate(this.sql, (keys) => this.received.push(...keys));
  }

  async close(): Promise<void> {
    this.sync.close();
    this.connection.close();
    this.app.caches.close();
    await this.sql.end();
  }
}

const until = async (what: () => unknown): Promise<void> => {
  for (let n = 0; n < 1000 && !what(); n++) await sleep(10);
  assert.ok(what());
};

describe("the caches of two processes", { skip: withoutRedis }, () => {
  let server: RedisServer;
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let process: Process;
  let other: Process;

  before(async () => {
    [server, database] = [await startRedis(), await cloneDatabase()];
    process = new Process("one", database.url, server.url);
    other = new Process("other", database.url, server.url);
    for (const { app } of [process, other]) await receiveOthersInvalidations(app);
    // Connected and listening: caches are emptied once then.
    await until(() => process.connection.isUp() && other.connection.isUp());
    await until(() => process.cleared > 0 && other.cleared > 0);
    await process.sync.caughtUp();
  });
  after(async () => {
    await process?.close();
    await other?.close();
    await database?.drop();
    await server?.close();
  });

  test("what one commits the other drops, once, before it goes on", async () => {
    const cleared = other.cleared;
    for (let n = 0; n < 50; n++) {
      await process.sql.begin(async (tx) => invalidate(tx, `status:${n}`, `account:${n}`));
      await process.sync.published();
      await other.sync.caughtUp();
      assert.deepEqual(other.received.splice(0), [`status:${n}`, `account:${n}`]);
    }
    assert.equal(other.cleared, cleared);
    assert.equal(process.received.length, 100, "its own do not come back");
  });

  test("requests that come at the same time ask once where others have got to", async () => {
    const { redis } = process.connection;
    const requests = async () =>
      Number(/^cmdstat_get:calls=(\d+)/m.exec(await redis.info("commandstats"))?.[1]);
    const before = await requests();
    const later: Promise<boolean>[] = [];
    const first = Array.from({ length: 50 }, () => process.sync.caughtUp());
    // While the first are being answered.
    await sleep(0);
    for (let n = 0; n < 50; n++) later.push(process.sync.caughtUp());
    assert.ok([...(await Promise.all(first)), ...(await Promise.all(later))].every(Boolean));
    assert.equal((await requests()) - before, 2);
  });

  test("who leaves work for others wakes them with the message of what it has invalidated", async () => {
    const { redis } = process.connection;
    const woken: string[] = [];
    const detach = [process, other].map(({ app }, n) =>
      attachWorker(app, "outbox", () => woken.push(["one", "other"][n]!)),
    );
    const before = Number(await redis.get("test:invalidations"));
    await process.sql.begin(async (tx) => invalidate(tx, "status:1"));
    for (let n = 0; n < 5; n++) wakeAll(process.app, "outbox");
    await process.sync.published();
    await other.sync.caughtUp();
    assert.equal(Number(await redis.get("test:invalidations")), before + 1);
    assert.deepEqual(woken, [...Array<string>(5).fill("one"), "other"]);
    wakeAll(process.app, "inbox");
    await process.sync.published();
    await other.sync.caughtUp();
    for (const end of detach) end();
    wakeAll(process.app, "outbox");
    await process.sync.published();
    await other.sync.caughtUp();
    assert.equal(woken.length, 6);
    other.received.length = 0;
  });

  test("events of another process are known once what their commits changed is dropped", async () => {
    other.received.length = 0;
    invalidate(process.sql, "status:7");
    process.sync.wrote(["1", "2"]);
    assert.equal(other.sync.hasReceived(["1"]), false, "not yet");
    await process.sync.published();
    await other.sync.caughtUp();
    assert.deepEqual(other.received.splice(0), ["status:7"], "they are no keys");
    assert.equal(other.sync.hasReceived(["1", "2"]), true);
    assert.equal(other.sync.hasReceived(["1"]), false, "it is asked once");
    assert.equal(process.sync.hasReceived(["2"]), false, "its own");
    process.sync.wrote(Array.from({ length: 10_001 }, (_, n) => String(n)));
    invalidate(process.sql, "status:8");
    await process.sync.published();
    await other.sync.caughtUp();
    assert.equal(other.sync.hasReceived(["0"]), false, "so many are remembered");
    assert.equal(other.sync.hasReceived(["1", "10000"]), true);
    other.received.length = 0;
  });

  test("a message that was missed empties the caches, and workers look for what it may have said", async () => {
    const { cleared } = other;
    let woken = 0;
    const detach = attachWorker(other.app, "outbox", () => void (woken += 1));
    await other.connection.redis.incr("test:invalidations");
    invalidate(process.sql, "status:1");
    await until(() => other.received.includes("status:1"));
    assert.equal(other.cleared, cleared + 1);
    assert.equal(woken, 1);
    detach();
  });

  test("a message that does not come is not waited for: the caches are emptied", async () => {
    const { cleared } = other;
    await other.connection.redis.incr("test:invalidations");
    await other.sync.caughtUp();
    assert.equal(other.cleared, cleared + 1);
    // Nor is it the next time, which would empty them once more.
    await other.sync.caughtUp();
    assert.equal(other.cleared, cleared + 1);
  });

  test("without Valkey the database tells, and what is cached is a second old at most", async () => {
    await server.kill();
    const { cleared } = other;
    other.received.length = 0;
    let woken = 0;
    const detach = attachWorker(other.app, "outbox", () => void (woken += 1));
    wakeAll(process.app, "outbox");
    await process.sql.begin(async (tx) => invalidate(tx, "status:2"));
    await process.sync.published();
    await other.sync.caughtUp();
    await until(() => other.received.includes("status:2"));
    await until(() => woken > 0);
    detach();
    await until(() => other.cleared > cleared + 1);
    await server.start();
    await until(() => process.connection.isUp() && other.connection.isUp());
    other.received.length = 0;
    await until(() => {
      invalidate(process.sql, "status:3");
      return other.received.includes("status:3");
    });
  });
});
