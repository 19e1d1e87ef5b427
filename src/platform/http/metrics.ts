// GET /metrics: how the process is doing and what it holds in memory, in the text format of Prometheus, for requests
// with METRICS_TOKEN. https://prometheus.io/docs/instrumenting/exposition_formats/

import type { App } from "../app.ts";
import type { Figures } from "../caches/register.ts";
import { Unauthorized } from "../errors.ts";
import { isSameSecret } from "../seal.ts";
import { gaugeText, labelledText, processText } from "../metrics/index.ts";
import { selectInboxDepth, selectJobsDue, selectWaiting } from "../metrics/queries.ts";
import type { JobsDue, ShardDepth } from "../metrics/queries.ts";
import { bearerToken } from "./auth.ts";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";

type Metric = readonly [
  name: string,
  type: "gauge" | "counter",
  help: string,
  figure: Exclude<keyof Figures, "name">,
];

const ENTRIES = "What a cache has, or what waits in a queue, a batcher or a single-flight.";
const LIMIT = "Its share of CACHE_MB; 0 where something else bounds it.";

const METRICS: readonly Metric[] = [
  ["rookery_memory_entries", "gauge", ENTRIES, "entries"],
  ["rookery_memory_bytes", "gauge", "Bytes that it takes, about.", "bytes"],
  ["rookery_memory_limit_bytes", "gauge", LIMIT, "maxBytes"],
  ["rookery_memory_hits_total", "counter", "Look-ups that found something.", "hits"],
  ["rookery_memory_misses_total", "counter", "Look-ups that found nothing.", "misses"],
];

const healthText = ({ pulse, redis, process: { takeovers } }: App): string => {
  const fault = pulse.fault();
  return gaugeText([
    ["rookery_database_up", "gauge", "1: the database answers.", fault === "away" ? 0 : 1],
    [
      "rookery_disk_full",
      "gauge",
      "1: nothing is accepted that would be written.",
      fault === "full" ? 1 : 0,
    ],
    [
      "rookery_disk_free_bytes",
      "gauge",
      "Free bytes on the disk of DATA_DIR.",
      pulse.diskFree() ?? NaN,
    ],
    [
      "rookery_lateness_seconds",
      "gauge",
      "How long work waits for the event loop or the database.",
      pulse.lateness() / 1000,
    ],
    [
      "rookery_lease_takeovers",
      "gauge",
      "Processes that this one found dead, and whose work it took over.",
      takeovers,
    ],
    ...(redis
      ? [["rookery_valkey_up", "gauge", "1: Valkey answers.", redis.isUp() ? 1 : 0] as const]
      : []),
  ]);
};

const valkeyText = ({ redis }: App): string =>
  redis === null
    ? ""
    : labelledText(
        "rookery_valkey_messages_total",
        "counter",
        "Messages that this process received by Valkey: events for its streams, and what others invalidated.",
        "kind",
        Object.entries(redis.received),
      );

const replicaText = ({ replica }: App): string => {
  if (!replica) return "";
  const { isUsed, behindBytes, behindSeconds, statements } = replica.figures();
  return [
    gaugeText([
      ["rookery_replica_used", "gauge", "1: reads go to the replica.", isUsed ? 1 : 0],
      [
        "rookery_replica_behind_bytes",
        "gauge",
        "Bytes of the log that the replica lacked when it was last looked at.",
        behindBytes ?? NaN,
      ],
      [
        "rookery_replica_behind_seconds",
        "gauge",
        "For how long the replica has not had everything.",
        behindSeconds ?? NaN,
      ],
    ]),
    labelledText(
      "rookery_replica_reads_total",
      "counter",
      "Reads that the replica answered, and those that the primary did because it was behind or gone, or failed.",
      "place",
      Object.entries(statements),
    ),
  ].join("");
};

/** Returns nothing while the database is away. */
const waitingText = async ({ sql }: App): Promise<string> => {
  const measured = await Promise.all([
    selectWaiting(sql),
    selectJobsDue(sql),
    selectInboxDepth(sql),
  ]).catch(() => null);
  if (!measured) return "";
  const [waiting, due, depth] = measured;
  const { jobs, failed_jobs: failed, events, activities, deliveries, backup } = waiting;
  const gauges = gaugeText([
    ["rookery_jobs_waiting", "gauge", "Jobs that are due (at most 10,000 are counted).", jobs],
    ["rookery_jobs_given_up", "gauge", "Jobs that failed for good and are still stored.", failed],
    ["rookery_events_waiting", "gauge", "Events whose flows have not run yet.", events],
    ["rookery_activities_waiting", "gauge", "Activities of other servers.", activities],
    ["rookery_deliveries_waiting", "gauge", "Activities for other servers.", deliveries],
    ["rookery_hosts_waiting", "gauge", "Servers that deliveries wait for.", waiting.hosts],
    ["rookery_hosts_resting", "gauge", "Those of them that did not answer.", waiting.resting],
    [
      "rookery_backup_time_seconds",
      "gauge",
      "When the newest backup was made, in seconds since 1970.",
      backup ?? NaN,
    ],
  ]);
  const byJob = (value: (job: JobsDue) => number) =>
    due.map((job) => [job.job, value(job)] as const);
  const byShard = (value: (shard: ShardDepth) => number) =>
    depth.map((shard) => [shard.shard, value(shard)] as const);
  const gauge = (
    name: string,
    help: string,
    label: string,
    values: (readonly [string, number])[],
  ) => labelledText(name, "gauge", help, label, values);
  return [
    gauges,
    gauge(
      "rookery_jobs_due",
      "Jobs that are due, by name.",
      "job",
      byJob(({ count }) => count),
    ),
    gauge(
      "rookery_jobs_due_seconds",
      "For how long the oldest of them has been due.",
      "job",
      byJob(({ seconds }) => seconds),
    ),
    gauge(
      "rookery_inbox_waiting",
      "Activities of other servers, by the shard that a worker takes them from.",
      "shard",
      byShard(({ count }) => count),
    ),
    gauge(
      "rookery_inbox_waiting_seconds",
      "For how long the oldest of them has waited.",
      "shard",
      byShard(({ seconds }) => seconds),
    ),
  ].join("");
};

/** Counts by route pattern instead of path, so that there are few labels. */
const countRequests = (server: Server, { meters }: App): void => {
  server.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "(unknown)";
    const labels = [request.method, route, String(reply.statusCode)];
    meters.requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
};

const metricText = (all: Figures[], [name, type, help, figure]: Metric): string => {
  const values = all.map((each) => [each.name, each[figure]] as const);
  return labelledText(name, type, help, "name", values);
};

/** Without METRICS_TOKEN the path does not exist. */
export const metricsRoute = (server: Server, app: App): void => {
  const token = app.config.http.metricsToken;
  if (token === null) return;
  countRequests(server, app);
  server.get("/metrics", UNCOUNTED, async (request, reply) => {
    if (!isSameSecret(bearerToken(request) ?? "", token)) throw new Unauthorized();
    const figures = app.caches.figures();
    const { requests, queries, jobs, outgoing, deliveries } = app.meters;
    const parts = [
      ...METRICS.map((metric) => metricText(figures, metric)),
      ...[requests, queries, jobs, outgoing, deliveries].map((meter) => meter.text()),
      await waitingText(app),
      processText(),
      replicaText(app),
      valkeyText(app),
      healthText(app),
    ];
    return reply
      .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "private, no-store")
      .send(parts.join(""));
  });
};
