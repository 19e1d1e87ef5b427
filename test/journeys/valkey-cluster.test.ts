// A server of two processes over a Valkey Cluster: a node is killed and its replica takes over, nodes come, slots
// move, all while people post and listen. What was acknowledged is in homes, and streams go on.

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isMaster, moveSlot, startRedisCluster, usedSlots } from "../redis-cluster.ts";
import type { Node, RedisCluster } from "../redis-cluster.ts";
import { withoutRedis } from "../redis-server.ts";
import { openStream } from "../stream-client.ts";
import type { StreamClient } from "../stream-client.ts";
import { startCluster } from "./cluster.ts";
import type { Cluster } from "./cluster.ts";
import { eventually } from "./eventually.ts";
import { journey } from "./journey.ts";
import { onlySplit } from "./layouts.ts";
import type { Someone } from "./server.ts";

const PAUSE_MS = 200;
/** What failed is tried again later and later. */
const PATIENCE_MS = 90_000;

let valkey: RedisCluster;
let server: Cluster;
let alice: Someone;
let bob: Someone;
let stream: StreamClient;
const step = journey(() => [server]);

const streamed = (): string[] =>
  stream.frames
    .filter(({ event }) => event === "update")
    .map(({ payload }) => JSON.parse(payload!).id);

const post = async (name: string): Promise<string> => {
  const answer = await eventually("a post", async () => {
    const { status, json } = await server.request("POST", "/api/v1/statuses", {
      token: alice.token,
      json: { status: name },
      headers: { "idempotency-key": name },
    });
    return status === 200 ? json : null;
  });
  return answer.id;
};

/** Posts until it is over; the ids. */
const postDuring = async (name: string, work: () => Promise<void>): Promise<string[]> => {
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  const ids: string[] = [];
  while (!isOver) {
    ids.push(await post(`${name} ${ids.length}`));
    await sleep(PAUSE_MS);
  }
  await working;
  return ids;
};

const homeOf = async (who: Someone): Promise<string[]> => {
  const ids: string[] = [];
  for (;;) {
    const before = ids.length > 0 ? `&max_id=${ids.at(-1)}` : "";
    const page: { id: string }[] = await who.get(`/api/v1/timelines/home?limit=40${before}`);
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
};

const inHome = (ids: string[]): Promise<unknown> =>
  eventually(
    "all in the home",
    async () => {
      const home = await homeOf(bob);
      assert.equal(new Set(home).size, home.length);
      return ids.every((id) => home.includes(id));
    },
    PATIENCE_MS,
  );

const goesOn = async (): Promise<void> => {
  await eventually("the stream", async () => {
    const id = await post(`to be heard ${performance.now()}`);
    await sleep(300);
    return streamed().includes(id);
  });
  assert.equal(stream.closeCode, null, "the socket was open all the time");
};

/** With the home of bob. */
const masterOfHome = async (): Promise<Node> => {
  for (const node of valkey.nodes) {
    if (!(await isMaster(node))) continue;
    const names = await node.client.keys("*");
    if (names.some((name) => name.endsWith(`home:${bob.id}`))) return node;
  }
  throw new Error("nobody has the home");
};

const mastersOf = async (nodes: Node[]): Promise<Node[]> => {
  const are = await Promise.all(nodes.map(isMaster));
  return nodes.filter((_, n) => are[n]);
};

describe("a server over a Valkey Cluster", { skip: withoutRedis || onlySplit }, () => {
  before(async () => {
    valkey = await startRedisCluster({ replicas: true });
    server = await startCluster({
      // What one publishes comes to the streams of the other by Valkey alone.
      roles: ["web,streaming", "worker"],
      env: { REDIS_URL: valkey.url },
    });
    [alice, bob] = [await server.person("alice"), await server.person("bob")];
    await bob.post(`/api/v1/accounts/${alice.id}/follow`);
    const query = { stream: "user", access_token: bob.token };
    stream = await openStream(server.url, { query });
  });
  after(async () => {
    stream?.socket.terminate();
    await server?.remove();
    await valkey?.close();
  });

  step("posts come into homes and streams, each once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(await post(`first ${n}`));
    await inHome(ids);
    await eventually("the stream", () => streamed().length >= ids.length);
    assert.deepEqual(streamed().toSorted(), ids.toSorted());
  });

  step("a node is killed while people post: its replica takes over", async (context) => {
    await homeOf(bob);
    const lost = await masterOfHome();
    const rest = valkey.nodes.filter((node) => node !== lost);
    const ids = await postDuring("during", async () => {
      await sleep(500);
      await lost.kill();
      await eventually("a new master", async () => (await mastersOf(rest)).length === 3);
      await sleep(500);
    });
    await goesOn();
    await inHome(ids);
    const heard = new Set(streamed());
    context.diagnostic(
      `${ids.length} posts, ${ids.filter((id) => heard.has(id)).length} of them were streamed`,
    );
    await lost.start();
    await valkey.ready();
  });

  step("slots move to a new node while people post", async (context) => {
    const added = await valkey.add();
    await valkey.add(added);
    await homeOf(bob);
    const from = await masterOfHome();
    const masters = [...(await mastersOf(valkey.nodes)), added];
    const slots = await usedSlots(from);
    const ids = await postDuring("moving", async () => {
      for (const slot of slots) await moveSlot(slot, from, added, masters);
      await sleep(500);
    });
    await goesOn();
    await inHome(ids);
    const heard = new Set(streamed());
    context.diagnostic(
      `${slots.length} slots, ${ids.length} posts, ${ids.filter((id) => heard.has(id)).length} of them were streamed`,
    );
  });

  step("the new node is lost as well", async () => {
    await homeOf(bob);
    const lost = await masterOfHome();
    const ids = await postDuring("again", async () => {
      await lost.kill();
      const rest = valkey.nodes.filter((node) => node !== lost);
      await eventually("a new master", async () => (await mastersOf(rest)).length === 4);
    });
    await goesOn();
    await inHome(ids);
  });
});
