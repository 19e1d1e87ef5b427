// Counts what a process receives through Valkey for a post and a favourite, depending on the number of processes:
// messages for each process that streams, with one follower's socket at each, over one Valkey and over a cluster of
// three masters with replicas; and the messages between the cluster's nodes. `node bench/heard.ts [1,3,6]`

import { setTimeout as sleep } from "node:timers/promises";
import { startCluster } from "../test/journeys/cluster.ts";
import type { Cluster } from "../test/journeys/cluster.ts";
import type { Someone } from "../test/journeys/server.ts";
import { startRedisCluster } from "../test/redis-cluster.ts";
import type { RedisCluster } from "../test/redis-cluster.ts";
import { openStream } from "../test/stream-client.ts";

const ACTS = 20;
/** Milliseconds without a message after which nothing more is expected. */
const QUIET_MS = 1000;
const METRICS_TOKEN = "bench";

type Heard = { events: number; invalidations: number };

const countReceived = async (url: string): Promise<Heard> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const count = (kind: string): number =>
    Number(new RegExp(`valkey_messages_total{kind="${kind}"} (\\d+)`).exec(text)?.[1] ?? 0);
  return { events: count("events"), invalidations: count("invalidations") };
};

/** Counts messages between the nodes: `publish` goes to all of them, `publishshard` to replicas. */
const busOf = async (valkey: RedisCluster | null): Promise<number> => {
  const infos = await Promise.all(
    (valkey?.nodes ?? []).map(({ client }) => client.cluster("INFO")),
  );
  const counts = infos.flatMap((info) => [...info.matchAll(/messages_publish\w*_sent:(\d+)/g)]);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
};

const streamingOf = ({ parts }: Cluster) =>
  parts.filter(({ name }) => name.startsWith("streaming"));

const measure = async (
  server: Cluster,
  valkey: RedisCluster | null,
  act: (n: number) => Promise<unknown>,
): Promise<string[]> => {
  const parts = streamingOf(server);
  const read = () => Promise.all(parts.map(({ url }) => countReceived(url)));
  await sleep(QUIET_MS);
  const [before, busBefore] = [await read(), await busOf(valkey)];
  for (let n = 0; n < ACTS; n++) await act(n);
  await sleep(QUIET_MS);
  const [after, busAfter] = [await read(), await busOf(valkey)];
  const mean = (kind: keyof Heard): string => {
    const sums = after.map((heard, n) => heard[kind] - before[n]![kind]);
    const all = sums.reduce((sum, count) => sum + count, 0) / ACTS;
    return `${(all / parts.length).toFixed(2)} (${all.toFixed(1)})`;
  };
  const bus = valkey ? ((busAfter - busBefore) / ACTS).toFixed(1) : "";
  return [mean("events"), mean("invalidations"), bus];
};

const runWith = async (count: number, valkey: RedisCluster | null): Promise<string[][]> => {
  const roles = ["web", "worker", ...Array<string>(count).fill("streaming")];
  const env = { METRICS_TOKEN, ...(valkey && { REDIS_URL: valkey.url }) };
  const server = await startCluster({ roles, env });
  try {
    const author = await server.person("author");
    const followers: Someone[] = [];
    for (const [n, { url }] of streamingOf(server).entries()) {
      const follower = await server.person(`follower${n}`);
      followers.push(follower);
      await follower.post(`/api/v1/accounts/${author.id}/follow`);
      await openStream(url, { query: { stream: "user", access_token: follower.token } });
    }
    const ids: string[] = [];
    const post = async (n: number) =>
      ids.push((await author.post("/api/v1/statuses", { status: `post ${n}` })).id);
    const favourite = (n: number) => followers[0]!.post(`/api/v1/statuses/${ids[n]}/favourite`);
    const place = valkey ? "cluster" : "one";
    return [
      [place, String(count), "post", ...(await measure(server, valkey, post))],
      [place, String(count), "favourite", ...(await measure(server, valkey, favourite))],
    ];
  } finally {
    await server.remove();
  }
};

const counts = (process.argv[2] ?? "1,3,6").split(",").map(Number);
const rows: string[][] = [];
for (const count of counts) rows.push(...(await runWith(count, null)));
for (const count of counts) {
  const valkey = await startRedisCluster({ replicas: true });
  try {
    rows.push(...(await runWith(count, valkey)));
  } finally {
    await valkey.close();
  }
}
const HEAD = [
  "Valkey",
  "streaming",
  "act",
  "events heard by each (all)",
  "invalidations heard by each (all)",
  "messages between nodes",
];
for (const row of [HEAD, HEAD.map(() => "---"), ...rows]) console.log(`| ${row.join(" | ")} |`);
process.exit(0);
