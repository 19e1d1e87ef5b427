// The adapters over a real Valkey or Redis: the contracts of their ports, and what happens while it is away.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { queryObjects } from "node:v8";
import type { Redis } from "ioredis";
import { startLateRedis, startRedis, withoutRedis } from "../../../test/redis-server.ts";
import type { RedisServer } from "../../../test/redis-server.ts";
import { BoundedCache } from "../caches/bounded.ts";
import { parsePage } from "../db/paging.ts";
import { feedsContract } from "../feeds/feeds.contract.ts";
import { randomFeedsContract } from "../feeds/random.contract.ts";
import type { Feed } from "../feeds/feed.ts";
import type { Feeds } from "../feeds/index.ts";
import { memoryFeeds } from "../feeds/memory.ts";
import { createFormats } from "../feeds/redis-formats.ts";
import { redisFeeds } from "../feeds/redis.ts";
import { kvContract } from "../kv/kv.contract.ts";
import { memoryKv } from "../kv/memory.ts";
import { redisKv } from "../kv/redis.ts";
import { createLogger } from "../log/index.ts";
import { pubSubContract } from "../pubsub/pubsub.contract.ts";
import { redisPubSub } from "../pubsub/redis.ts";
import { ConfigError } from "../errors.ts";
import { connectRedis } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { holdSecrets } from "./same-secrets.ts";

const log = createLogger({ level: "silent", pretty: false });
let server: RedisServer;
const connections: Connection[] = [];

const until = async (what: () => unknown): Promise<void> => {
  for (let n = 0; n < 1000 && !(await what()); n++) await sleep(10);
  assert.ok(await what());
};

const connected = async (url = server.url): Promise<Connection> => {
  const connection = connectRedis(url, "test:", log);
  connections.push(connection);
  await until(() => connection.isUp() && connection.subscriber.status === "ready");
  return connection;
};

describe("Valkey", { skip: withoutRedis }, () => {
  before(async () => {
    server = await startRedis();
  });
  after(async () => {
    for (const connection of connections) connection.close();
    await server?.close();
  });

  describe("pubsub", () =>
    pubSubContract(
      "redis",
      async () => redisPubSub(await connected(await startLateRedis(server.url))),
      async () => redisPubSub(await connected()),
    ));
  test("a subscription that ended leaves nothing behind", async () => {
    const pubsub = redisPubSub(await connected());
    const rounds = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n++) pubsub.subscribe(`channel ${n}`, () => {})();
      await pubsub.ready();
      // Collects garbage first.
      return queryObjects(Array, { format: "count" });
    };
    const before = await rounds(100);
    const after = await rounds(3000);
    assert.ok(after - before < 1000, `${after - before} arrays are left`);
    await pubsub.close();
  });
  test("the commands of one turn arrive together", async () => {
    const { redis } = await connected();
    const reads = async () =>
      Number(/^total_reads_processed:(\d+)/m.exec(await redis.info("stats"))?.[1]);
    const before = await reads();
    await Promise.all(Array.from({ length: 100 }, () => redis.get("test:nothing")));
    // Other connections say a word now and then.
    assert.ok((await reads()) - before < 10);
  });
  describe("kv", () =>
    kvContract("redis", async () => redisKv(await connected(), "kv", memoryKv())));
  describe("feeds", () => {
    for (const contract of [feedsContract, randomFeedsContract]) {
      contract("redis", async () => redisFeeds(await connected(), memoryFeeds()));
    }
  });

  describe("two processes", () => {
    let connection: Connection;
    let other: Connection;
    const page = parsePage({}, 20);

    /** How often Valkey has run these commands, also in scripts. */
    const calls = async (...names: string[]): Promise<number> => {
      const stats = await connection.redis.info("commandstats");
      const counts = names.map((name) =>
        new RegExp(`^cmdstat_${name}:calls=(\\d+)`, "m").exec(stats),
      );
      return counts.reduce((sum, match) => sum + Number(match?.[1] ?? 0), 0);
    };

    before(async () => {
      [connection, other] = [await connected(), await connected()];
    });

    test("an event reaches the listeners of the other, and only who listens is subscribed", async () => {
      const [a, b] = [redisPubSub(connection), redisPubSub(other)];
      const got: unknown[] = [];
      const stop = b.subscribe("news", (event) => got.push(event));
      await b.ready();
      assert.deepEqual(await a.withListeners(["news", "nobody"]), ["news"]);
      await a.publish("news", { id: "1" });
      await a.publish("nobody", {});
      await until(() => got.length > 0);
      assert.deepEqual(got, [{ id: "1" }]);
      stop();
      await b.ready();
      assert.deepEqual(await a.withListeners(["news"]), []);
    });

    test("of many processes an event reaches those alone who listen to its channel", async () => {
      const processes = await Promise.all(Array.from({ length: 6 }, connected));
      const heard = processes.map(() => 0);
      const all = processes.map((each, n) => {
        each.subscriber.on("message", () => (heard[n]! += 1));
        const pubsub = redisPubSub(each);
        pubsub.subscribe(`user:${n}`, () => {});
        if (n < 2) pubsub.subscribe("public:all", () => {});
        return pubsub;
      });
      await Promise.all(all.map((pubsub) => pubsub.ready()));
      for (let n = 0; n < 10; n++) await all[5]!.publish("user:3", n);
      await all[5]!.publish("public:all", "post");
      await all[5]!.publish("user:4", "last");
      await until(() => heard[3] === 10 && heard[4] === 1 && heard[0] === 1 && heard[1] === 1);
      assert.deepEqual(heard, [1, 1, 0, 10, 1, 0]);
      for (const pubsub of all) await pubsub.close();
    });

    test("events that are published together are sent together, in their order", async () => {
      const [a, b] = [redisPubSub(connection), redisPubSub(other)];
      const got: unknown[] = [];
      const stops = ["even", "odd"].map((channel) => b.subscribe(channel, (n) => got.push(n)));
      await b.ready();
      await a.publish("even", 0);
      const before = await calls("evalsha");
      const numbers = Array.from({ length: 90 }, (_, n) => n + 1);
      await Promise.all(numbers.map((n) => a.publish(n % 2 === 0 ? "even" : "odd", n)));
      assert.equal((await calls("evalsha")) - before, 1);
      await until(() => got.length === 91);
      assert.deepEqual(got, [0, ...numbers]);
      for (const stop of stops) stop();
    });

    test("counters and feeds are shared", async () => {
      const [a, b] = [redisKv(connection, "kv", memoryKv()), redisKv(other, "kv", memoryKv())];
      assert.equal(await a.increment("n", 1, 60), 1);
      assert.equal(await b.increment("n", 1, 60), 2);
      const [mine, theirs] = [
        redisFeeds(connection, memoryFeeds()),
        redisFeeds(other, memoryFeeds()),
      ];
      await mine.fill("home:1", async () => {
        await theirs.push([{ keys: ["home:1"], id: "7" }]);
        await theirs.fill("home:1", async () => ({ ids: ["1"] }));
        assert.equal(await theirs.page("home:1", page), null);
        return { ids: ["5"] };
      });
      assert.deepEqual(await theirs.page("home:1", page), ["7", "5"]);
    });

    test("a batch that comes a little late is put into a feed with as few commands as one post", async () => {
      const [mine, theirs] = [
        redisFeeds(connection, memoryFeeds()),
        redisFeeds(other, memoryFeeds()),
      ];
      await mine.fill("home:5", async () => ({ ids: ["100"] }));
      const ids = Array.from({ length: 40 }, (_, n) => String(101 + n));
      const [odd, even] = [ids.filter((_, n) => n % 2 === 0), ids.filter((_, n) => n % 2 === 1)];
      const push = (feeds: typeof mine, some: string[]) =>
        feeds.push(some.map((id) => ({ keys: ["home:5"], id })));
      await push(mine, even);
      const before = await calls("getrange", "strlen", "setrange");
      await push(theirs, odd);
      assert.ok((await calls("getrange", "strlen", "setrange")) - before < 10);
      assert.deepEqual(await mine.page("home:5", parsePage({}, 40)), ids.toReversed());
    });

    describe("copies of feeds", () => {
      let mine: Feeds;
      /** Returns the feeds of another process, as soon as it answers by a copy. */
      const copying = async (key: string) => {
        const own = await connected();
        const copies = new BoundedCache<Feed>({ share: 1024 * 1024, pool: null }, () => 100);
        const feeds = redisFeeds(own, memoryFeeds(), copies);
        await feeds.fill(key, async () => ({ ids: ["1"] }));
        const isCopied = async () => {
          await feeds.page(key, page, true);
          const before = await calls("get");
          assert.deepEqual(await feeds.page(key, page, true), ["1"]);
          return (await calls("get")) === before;
        };
        await until(isCopied);
        return { own, feeds };
      };

      before(() => {
        mine = redisFeeds(connection, memoryFeeds());
      });

      test("a page of one takes no command, and who may not lag gets none", async () => {
        const { feeds } = await copying("home:21");
        await mine.push([{ keys: ["home:21"], id: "2" }]);
        assert.deepEqual(await feeds.page("home:21", page), ["2", "1"]);
        await until(async () => (await feeds.page("home:21", page, true))?.length === 2);
      });

      test("what was told before its message leaves no copy, also of a read whose answer comes later", async () => {
        const { own, feeds } = await copying("home:22");
        const heard = new Promise((resolve) =>
          own.subscriber.on("message", (name) => name === "told" && resolve(0)),
        );
        await own.subscriber.subscribe("told");
        await mine.push([{ keys: ["home:22"], id: "2" }]);
        await until(async () => (await feeds.page("home:22", page, true))?.length === 2);
        const told = once(own.subscriber, "message");
        await mine.push([{ keys: ["home:22"], id: "3" }]);
        await told;
        // The answer to this read waits until the process was told what has changed since.
        const { redis } = own;
        const read = redis.getBuffer.bind(redis) as (name: string) => Promise<Buffer | null>;
        const isRead = Promise.withResolvers<void>();
        redis.getBuffer = (async (name: string) => {
          const stored = await read(name);
          isRead.resolve();
          await heard;
          return stored;
        }) as typeof redis.getBuffer;
        const late = feeds.page("home:22", page, true);
        await isRead.promise;
        await mine.drop(["home:22"]);
        await connection.redis.publish("told", "");
        assert.deepEqual(await late, ["3", "2", "1"]);
        assert.equal(await feeds.page("home:22", page, true), null);
      });

      test("none is left when a connection is lost, or Valkey emptied", async () => {
        const { own, feeds } = await copying("home:23");
        for (const client of [own.subscriber, own.redis as Redis]) {
          client.disconnect(true);
          await once(client, "close");
          await mine.push([{ keys: ["home:23"], id: "2" }]);
          await until(() => own.isUp());
          assert.deepEqual(await feeds.page("home:23", page, true), ["2", "1"]);
          await mine.remove([{ keys: ["home:23"], id: "2" }]);
          await until(async () => (await feeds.page("home:23", page, true))?.length === 1);
        }
        await connection.redis.flushdb();
        await until(async () => (await feeds.page("home:23", page, true)) === null);
      });
    });

    test("when the last process that stores feeds otherwise has ended, they are dropped once", async () => {
      const feeds = redisFeeds(connection, memoryFeeds());
      const fill = async () => {
        await feeds.fill("home:4", async () => ({ ids: ["1"] }));
      };
      let dropped = 0;
      const drop = async () => {
        dropped += 1;
        await feeds.drop(["home:4"]);
      };
      const ours = createFormats(connection, "ours", drop);
      const theirs = createFormats(other, "theirs", () => Promise.reject(new Error("not these")));
      // After what the feeds of these tests have said of themselves.
      const now = Date.now() + 100_000;
      await ours.hold(now);
      await fill();
      await theirs.hold(now + 1);
      await ours.hold(now + 50_000);
      assert.equal(dropped, 0);
      assert.deepEqual(await feeds.page("home:4", page), ["1"]);
      await ours.hold(now + 70_000);
      assert.equal(dropped, 1);
      assert.equal(await feeds.page("home:4", page), null);
      await fill();
      await ours.hold(now + 90_000);
      assert.equal(dropped, 1);
      for (const format of [ours, theirs]) format.close();
    });

    test("a process with other secrets than those that run is refused", async () => {
      const secrets = { keyBase: "a", vapid: { publicKey: "b", privateKey: "c" } };
      const releases = [await holdSecrets(connection, secrets), await holdSecrets(other, secrets)];
      await assert.rejects(
        holdSecrets(other, { ...secrets, keyBase: "another" }),
        (error: Error) => error instanceof ConfigError && /differ from those/.test(error.message),
      );
      for (const release of releases) release();
    });

    test("of processes with different secrets that start together one is refused", async () => {
      const secrets = { keyBase: "a", vapid: { publicKey: "b", privateKey: "c" } };
      await connection.redis.del(`${connection.prefix}secrets`);
      const starts = await Promise.allSettled([
        holdSecrets(connection, secrets),
        holdSecrets(other, { ...secrets, keyBase: "another" }),
      ]);
      const started = starts.flatMap((start) => (start.status === "fulfilled" ? start.value : []));
      for (const release of started) release();
      assert.equal(started.length, 1);
    });

    test("while it is away nothing waits, and afterwards everything is rebuilt", async () => {
      const local = memoryFeeds();
      const feeds = redisFeeds(connection, local);
      const kv = redisKv(connection, "kv", memoryKv());
      const pubsub = redisPubSub(connection);
      const got: unknown[] = [];
      let missed = 0;
      pubsub.onMissed(() => (missed += 1));
      pubsub.subscribe("c", (event) => got.push(event));
      await pubsub.ready();
      await feeds.fill("home:2", async () => ({ ids: ["1"] }));
      await server.kill();
      const began = performance.now();
      assert.equal(await feeds.page("home:2", page), null);
      assert.equal(await feeds.state("home:2"), "missing");
      await feeds.fill("home:2", async () => ({ ids: ["1"] }));
      assert.deepEqual(await feeds.page("home:2", page), ["1"]);
      await assert.rejects(feeds.push([{ keys: ["home:2"], id: "2" }]));
      await feeds.drop(["home:2"]);
      assert.equal(await kv.increment("m", 1, 60), 1);
      assert.equal(await kv.increment("m", 1, 60), 2);
      await pubsub.publish("c", 1);
      assert.deepEqual(got, [1]);
      assert.ok(performance.now() - began < 1500);
      await server.start();
      await until(() => connection.isUp() && connection.subscriber.status === "ready");
      await pubsub.ready();
      await pubsub.publish("c", 2);
      await until(() => got.length === 2);
      assert.equal(missed, 1);
      assert.equal(await feeds.page("home:2", page), null);
      await feeds.fill("home:2", async () => ({ ids: ["3"] }));
      assert.deepEqual(await feeds.page("home:2", page), ["3"]);
    });

    test("feeds that are dropped while it cannot be reached are dropped later", async () => {
      const feeds = redisFeeds(other, memoryFeeds());
      await until(() => other.isUp());
      await feeds.fill("home:3", async () => ({ ids: ["1"] }));
      other.redis.disconnect(true);
      await feeds.drop(["home:3"]);
      await until(() => other.isUp());
      await until(async () => (await feeds.page("home:3", page)) === null);
    });

    test("a server that does not answer is given up after a second", async () => {
      const kv = redisKv(connection, "kv", memoryKv());
      await until(() => connection.isUp());
      process.kill(server.pid(), "SIGSTOP");
      const began = performance.now();
      try {
        assert.equal(await kv.get("nothing"), null);
        assert.equal(await kv.get("nothing"), null);
        assert.ok(performance.now() - began < 3000);
      } finally {
        process.kill(server.pid(), "SIGCONT");
      }
      await until(() => connection.isUp());
    });
  });
});
