// The adapters over a real cluster of three nodes: the contracts of their ports, slots that move, and a node that is lost.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  beginMove,
  endMove,
  isMaster,
  moveKeys,
  startRedisCluster,
} from "../../../test/redis-cluster.ts";
import type { Node, RedisCluster } from "../../../test/redis-cluster.ts";
import { withoutRedis } from "../../../test/redis-server.ts";
import type { App } from "../app.ts";
import { createCaches } from "../caches/register.ts";
import { invalidate, onInvalidate, trackCommits } from "../db/commits.ts";
import type { CacheKey } from "../db/commits.ts";
import type { Sql } from "../db/index.ts";
import { parsePage } from "../db/paging.ts";
import { feedsContract } from "../feeds/feeds.contract.ts";
import type { Feeds } from "../feeds/index.ts";
import { memoryFeeds } from "../feeds/memory.ts";
import { randomFeedsContract } from "../feeds/random.contract.ts";
import { redisFeeds } from "../feeds/redis.ts";
import { kvContract } from "../kv/kv.contract.ts";
import { memoryKv } from "../kv/memory.ts";
import { redisKv } from "../kv/redis.ts";
import { createLogger } from "../log/index.ts";
import type { PubSub } from "../pubsub/index.ts";
import { pubSubContract } from "../pubsub/pubsub.contract.ts";
import { redisPubSub } from "../pubsub/redis.ts";
import { createCacheSync } from "./cache-sync.ts";
import { connectRedis, nodesIn } from "./connection.ts";
import type { Connection } from "./connection.ts";
import { holdSecrets } from "./same-secrets.ts";
import { spread } from "./whole-slot.ts";

const log = createLogger({ level: "silent", pretty: false });
const PAGE = parsePage({ limit: "40" }, 40);

test("a URL names one server, or nodes of a cluster with the same password", () => {
  assert.deepEqual(nodesIn("redis://:a@one:1/2"), ["redis://:a@one:1/2"]);
  assert.deepEqual(nodesIn("/run/valkey,1.sock"), ["/run/valkey,1.sock"]);
  assert.deepEqual(nodesIn("rediss://me:a,b@one:1,[::1]:2/0"), [
    "rediss://me:a,b@one:1",
    "rediss://me:a,b@[::1]:2",
  ]);
});

describe("a cluster", { skip: withoutRedis }, () => {
  let cluster: RedisCluster;
  const connections: Connection[] = [];

  const until = async (what: () => unknown): Promise<void> => {
    for (let n = 0; n < 3000 && !(await what()); n++) await sleep(10);
    assert.ok(await what());
  };

  const isReady = ({ isUp, subscriber }: Connection): boolean =>
    isUp() && subscriber.status === "ready";

  const connected = async (): Promise<Connection> => {
    const connection = connectRedis(cluster.url, "test:", log);
    connections.push(connection);
    await until(() => isReady(connection));
    return connection;
  };

  /** That can be used: they look first whether nodes have changed. */
  const feedsOver = async (connection: Connection): Promise<Feeds> => {
    const feeds = redisFeeds(connection, memoryFeeds());
    await until(() =>
      feeds.push([{ keys: ["nothing"], id: "1" }]).then(
        () => true,
        () => false,
      ),
    );
    return feeds;
  };

  before(async () => {
    cluster = await startRedisCluster();
  });
  after(async () => {
    for (const connection of connections) connection.close();
    await cluster?.close();
  });

  describe("pubsub", () =>
    pubSubContract(
      "cluster",
      async () => redisPubSub(await connected()),
      async () => redisPubSub(await connected()),
    ));
  describe("kv", () =>
    kvContract("cluster", async () => redisKv(await connected(), "kv", memoryKv())));
  describe("feeds", () => {
    for (const contract of [feedsContract, randomFeedsContract]) {
      contract("cluster", async () => feedsOver(await connected()));
    }
  });

  describe("with nodes that change", () => {
    let connection: Connection;
    let other: Connection;
    let [mine, theirs]: [Feeds, Feeds] = [memoryFeeds(), memoryFeeds()];
    const homes = Array.from({ length: 300 }, (_, n) => `home:${n}`);

    /** The names of feeds, and the node that has each. */
    const namesOf = async ({ client }: Node): Promise<string[]> =>
      (await client.keys("*")).filter((name) => /:home:\d+$/.test(name));

    /** Where the feed is, and where it could be. */
    const placeOf = async (ending: string) => {
      const owners = await Promise.all(cluster.nodes.map(namesOf));
      const at = owners.findIndex((names) => names.some((name) => name.endsWith(ending)));
      const name = owners[at]!.find((name) => name.endsWith(ending))!;
      const [from, to] = [cluster.nodes[at]!, cluster.nodes[(at + 1) % 3]!];
      const slot = (await from.client.cluster("KEYSLOT", name)) as number;
      return { name, slot, from, to };
    };
    const sameSlot = (name: string, key: string): boolean =>
      name.includes(`{${spread(key) % 128}}`);

    before(async () => {
      [connection, other] = [await connected(), await connected()];
      [mine, theirs] = [await feedsOver(connection), await feedsOver(other)];
    });
    after(() => Promise.all([mine.close(), theirs.close()]));

    test("feeds are at all nodes, and a batch reaches all of them", async () => {
      await Promise.all(homes.map((key) => mine.fill(key, async () => ({ ids: ["1"] }))));
      for (const node of cluster.nodes) {
        const count = (await namesOf(node)).length;
        assert.ok(count > 40, `${count} of 300 at one node`);
      }
      await theirs.push([
        { keys: homes, id: "3" },
        { keys: homes.slice(0, 150), id: "2" },
      ]);
      const pages = await Promise.all(homes.map((key) => mine.page(key, PAGE)));
      assert.deepEqual(pages.slice(0, 150), Array(150).fill(["3", "2", "1"]));
      assert.deepEqual(pages.slice(150), Array(150).fill(["3", "1"]));
      await mine.remove([{ keys: homes, id: "3" }]);
      await theirs.drop(homes.slice(1));
      assert.deepEqual(await theirs.page(homes[0]!, PAGE), ["2", "1"]);
      assert.equal(await mine.page(homes[299]!, PAGE), null);
    });

    test("a listener at any node counts, and gets its events in their order", async () => {
      const senders = [redisPubSub(connection), redisPubSub(other)];
      const listeners = await Promise.all(
        cluster.nodes.map(async (_, n) => {
          // Each listens to another node.
          const urls = cluster.url.replace("redis://", "").split(",");
          const url = `redis://${[...urls.slice(n), ...urls.slice(0, n)].join()}`;
          const own = connectRedis(url, "test:", log);
          connections.push(own);
          await until(() => isReady(own));
          return redisPubSub(own);
        }),
      );
      const events: number[][] = listeners.map(() => []);
      for (const [n, pubsub] of listeners.entries()) {
        pubsub.subscribe(`channel ${n}`, (event) => events[n]!.push(event as number));
        pubsub.subscribe("all", (event) => events[n]!.push(event as number));
        await pubsub.ready();
      }
      const names = ["channel 0", "channel 1", "channel 2", "channel 3", "all"];
      for (const sender of senders) {
        const listened = await sender.withListeners(names);
        assert.deepEqual(listened.sort(), ["all", "channel 0", "channel 1", "channel 2"]);
      }
      for (let n = 0; n < 50; n++) await senders[0]!.publish("all", n);
      await until(() => events.every((list) => list.length === 50));
      for (const list of events) assert.deepEqual(list, [...Array(50).keys()]);
    });

    test("a slot that moves to another node is followed, meanwhile and afterwards", async () => {
      await mine.fill("home:5", async () => ({ ids: ["1"] }));
      const { slot, from, to } = await placeOf(":home:5");
      await beginMove(slot, from, to);
      while ((await moveKeys(slot, from, to)) > 0);
      // ASK: it is at the new node, while the old one has the slot.
      assert.deepEqual(await mine.page("home:5", PAGE), ["1"]);
      await endMove(slot, to, cluster.nodes);
      // MOVED.
      await theirs.push([{ keys: ["home:5"], id: "2" }]);
      assert.deepEqual(await mine.page("home:5", PAGE), ["2", "1"]);
      await mine.push([{ keys: ["home:5"], id: "3" }]);
      assert.deepEqual(await theirs.page("home:5", PAGE), ["3", "2", "1"]);
    });

    test("of a slot that has moved in part nothing is lost: what cannot be pushed yet fails", async () => {
      await mine.drop(homes);
      await mine.fill("home:5", async () => ({ ids: ["1"] }));
      const { slot, name, from, to } = await placeOf(":home:5");
      // In the same part.
      const near = homes.filter((key) => key !== "home:5" && sameSlot(name, key));
      for (const key of near) await mine.fill(key, async () => ({ ids: ["1"] }));
      const keys = ["home:5", ...near];
      assert.ok(near.length > 1);
      await beginMove(slot, from, to);
      for (let moved = 0; moved < keys.length; moved++) {
        assert.deepEqual(await theirs.page(keys[moved]!, PAGE), ["1"]);
        await assert.rejects(mine.push([{ keys, id: "2" }]));
        await assert.rejects(mine.remove([{ keys, id: "1" }]));
        await moveKeys(slot, from, to, 1);
      }
      await theirs.drop([near[0]!]);
      while ((await moveKeys(slot, from, to)) > 0);
      await endMove(slot, to, cluster.nodes);
      await mine.push([{ keys, id: "2" }]);
      assert.equal(await mine.page(near[0]!, PAGE), null);
      for (const key of keys.filter((key) => key !== near[0])) {
        assert.deepEqual(await theirs.page(key, PAGE), ["2", "1"]);
      }
    });

    test("secrets and counters are shared", async () => {
      const secrets = { keyBase: "a", vapid: { publicKey: "b", privateKey: "c" } };
      const release = await holdSecrets(connection, secrets);
      await assert.rejects(holdSecrets(other, { ...secrets, keyBase: "d" }), /differ/);
      release();
      const [a, b] = [redisKv(connection, "kv", memoryKv()), redisKv(other, "kv", memoryKv())];
      for (let n = 0; n < 20; n++) {
        assert.equal(await a.increment(`counter ${n}`, 1, 60), 1);
        assert.equal(await b.increment(`counter ${n}`, 1, 60), 2);
      }
    });

    test("what one process invalidates the other drops before it answers", async () => {
      const processes = [connection, other].map((own, n) => {
        // No statement is made.
        const sql = trackCommits({ begin: () => {} } as unknown as Sql);
        const received: CacheKey[] = [];
        onInvalidate(sql, (keys) => received.push(...keys));
        const caches = createCaches(8, {});
        const app = { sql, log, caches, process: { id: String(n) } } as unknown as App;
        return { sql, received, caches, sync: createCacheSync(app, own) };
      });
      const [one, two] = [processes[0]!, processes[1]!];
      await until(async () => (await one.sync.caughtUp()) && (await two.sync.caughtUp()));
      for (let n = 0; n < 30; n++) {
        invalidate(one.sql, `status:${n}`);
        await one.sync.published();
        assert.equal(await two.sync.caughtUp(), true);
        assert.deepEqual(two.received.splice(0), [`status:${n}`]);
      }
      for (const { sync, caches } of processes) {
        sync.close();
        caches.close();
      }
    });

    test("feeds of a node that comes back with what it had before are dropped", async () => {
      await mine.fill("home:7", async () => ({ ids: ["1"] }));
      const owners = await Promise.all(cluster.nodes.map(namesOf));
      const at = owners.findIndex((names) => names.some((name) => name.endsWith(":home:7")));
      const node = cluster.nodes[at]!;
      await node.client.save();
      await mine.push([{ keys: ["home:7"], id: "2" }]);
      await node.kill();
      const began = performance.now();
      assert.equal(await mine.page("home:7", PAGE), null);
      await assert.rejects(mine.push([{ keys: ["home:7"], id: "3" }]));
      assert.ok(performance.now() - began < 5000, "nothing waits for a node that is away");
      await node.start();
      assert.equal((await namesOf(node)).length > 0, true, "it has what it had saved");
      await cluster.ready();
      await until(async () => (await namesOf(node)).length === 0);
      await until(() =>
        theirs
          .fill("home:7", async () => ({ ids: ["9"] }))
          .then(async () => {
            return (await theirs.page("home:7", PAGE))?.[0] === "9";
          }),
      );
      await until(() => isReady(connection) && isReady(other));
      await until(async () => (await mine.page("home:7", PAGE))?.[0] === "9");
      await mine.push([{ keys: ["home:7"], id: "10" }]);
      assert.deepEqual(await theirs.page("home:7", PAGE), ["10", "9"]);
    });
  });

  describe("events", () => {
    let here: Connection;
    let publisher: PubSub;
    let listener: PubSub;
    const users = Array.from({ length: 160 }, (_, n) => `user:${n}`);
    const got = new Map<string, number[]>();
    let missed = 0;
    let number = 0;

    const slotsOfEvents = async (): Promise<Map<number, Node>> => {
      const slots = new Map<number, Node>();
      for (const node of cluster.nodes) {
        const names = (await node.client.call("PUBSUB", "SHARDCHANNELS", "test:*")) as string[];
        for (const name of names) {
          slots.set((await node.client.cluster("KEYSLOT", name)) as number, node);
        }
      }
      return slots;
    };

    /** Publishes until each has had one since. */
    const allHear = async (): Promise<void> => {
      got.clear();
      await until(async () => {
        await Promise.all(users.map((user) => publisher.publish(user, number++)));
        await sleep(5);
        return users.every((user) => got.has(user));
      });
    };

    before(async () => {
      here = await connected();
      [publisher, listener] = [redisPubSub(here), redisPubSub(await connected())];
      listener.onMissed(() => (missed += 1));
      for (const user of users) {
        listener.subscribe(user, (event) => {
          got.set(user, [...(got.get(user) ?? []), event as number]);
        });
      }
      await listener.ready();
    });
    after(() => Promise.all([publisher.close(), listener.close()]));

    test("are at all nodes, and each is passed on by one of them alone", async () => {
      const bus = async (): Promise<number> => {
        const infos = await Promise.all(cluster.nodes.map(({ client }) => client.cluster("INFO")));
        const counts = infos.map((info) => /messages_publish_sent:(\d+)/.exec(info)?.[1] ?? 0);
        return counts.reduce<number>((sum, count) => sum + Number(count), 0);
      };
      const owners = [...(await slotsOfEvents()).values()];
      assert.equal(owners.length, 16);
      for (const node of cluster.nodes) {
        assert.ok(owners.filter((owner) => owner === node).length >= 4);
      }
      const before = await bus();
      await Promise.all(users.map((user) => publisher.publish(user, number++)));
      await until(() => users.every((user) => got.get(user)?.length === 1));
      assert.equal(await bus(), before);
      assert.deepEqual(
        (await publisher.withListeners([...users, "user:none"])).sort(),
        users.sort(),
      );
    });

    test("are heard wherever their slots move, and the process is told that it may have missed some", async () => {
      for (const [slot, from] of await slotsOfEvents()) {
        const to = cluster.nodes[(cluster.nodes.indexOf(from) + 1) % 3]!;
        const before = missed;
        await beginMove(slot, from, to);
        // Those who listen are still at the old node.
        await allHear();
        while ((await moveKeys(slot, from, to)) > 0);
        await endMove(slot, to, cluster.nodes);
        await until(() => missed > before);
      }
      const before = missed;
      const rounds = 20;
      got.clear();
      for (let n = 0; n < rounds; n++) {
        await Promise.all(users.map((user) => publisher.publish(user, number++)));
      }
      await until(() => users.every((user) => got.get(user)?.length === rounds));
      for (const events of got.values())
        assert.deepEqual(
          events,
          events.toSorted((a, b) => a - b),
        );
      assert.equal(missed, before);
    });

    test("while a slot moves every channel in it counts as listened to", async () => {
      const [[slot, from]] = [...(await slotsOfEvents())] as [[number, Node]];
      const to = cluster.nodes[(cluster.nodes.indexOf(from) + 1) % 3]!;
      const names = Array.from({ length: 640 }, (_, n) => `nobody:${n}`);
      assert.deepEqual(await publisher.withListeners(names), []);
      await beginMove(slot, from, to);
      const during = await publisher.withListeners(names);
      assert.ok(during.length > 0 && during.length < 160, `${during.length} of 640`);
      while ((await moveKeys(slot, from, to)) > 0);
      await endMove(slot, to, cluster.nodes);
      assert.deepEqual(await publisher.withListeners(names), []);
      await allHear();
    });

    test("go on when a replica takes over from a node that is lost", async () => {
      const [lost] = cluster.nodes as [Node];
      const replica = await cluster.add(lost);
      await allHear();
      const before = missed;
      await lost.kill();
      await until(() => isMaster(replica));
      await until(() => missed > before);
      await allHear();
      // It comes back as a replica, and hears nothing that is not asked of it.
      await lost.start();
      await cluster.ready();
      await allHear();
      const rounds = 5;
      got.clear();
      for (let n = 0; n < rounds; n++) {
        await Promise.all(users.map((user) => publisher.publish(user, number++)));
      }
      await until(() => users.every((user) => got.get(user)?.length === rounds));
    });

    test("a process that listens to a node that has left its cluster listens elsewhere", async () => {
      const added = await cluster.add();
      const url = `${cluster.url.replace("redis://", `redis://127.0.0.1:${added.port},`)}`;
      const deaf = connectRedis(url, "test:", log);
      connections.push(deaf);
      await until(() => isReady(deaf));
      assert.equal(deaf.subscriber.options.port, added.port);
      const sql = trackCommits({ begin: () => {} } as unknown as Sql);
      const received: CacheKey[] = [];
      onInvalidate(sql, (keys) => received.push(...keys));
      const caches = createCaches(8, {});
      const sync = createCacheSync(
        { sql, log, caches, process: { id: "deaf" } } as unknown as App,
        deaf,
      );
      await until(() => sync.caughtUp());
      const others = trackCommits({ begin: () => {} } as unknown as Sql);
      const app = { sql: others, log, caches, process: { id: "loud" } } as unknown as App;
      const loud = createCacheSync(app, here);
      await until(() => loud.caughtUp());
      await added.client.call("CLUSTER", "RESET", "HARD");
      await until(async () => {
        received.length = 0;
        invalidate(others, "status:1");
        await loud.published();
        await sync.caughtUp();
        return received.length === 1;
      });
      assert.notEqual(deaf.subscriber.options.port, added.port);
      sync.close();
      loud.close();
      caches.close();
    });
  });
});
