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

type Metric = readonly [name: string, help: string, figure: Exclude<keyof Figures, "name">];

const ENTRIES = "What a cache has, or what waits in a queue, a batcher or a single-flight.";
const LIMIT = "Its share of CACHE_MB; 0 where something else bounds it.";

const METRICS: readonly Metric[] = [
  ["rookery_memory_entries", ENTRIES, "entries"],
  ["rookery_memory_bytes", "Bytes that it takes, about.", "bytes"],
  ["rookery_memory_limit_bytes", LIMIT, "maxBytes"],
  ["rookery_memory_hits_total", "Look-ups that found something.", "hits"],
  ["rookery_memory_misses_total", "Look-ups that found nothing.", "misses"],
];

const healthText = ({ pulse, redis, process: { takeovers } }: App): string => {
  const fault = pulse.fault();
  return gaugeText([
    ["rookery_database_up", "1: the database answers.", fault === "away" ? 0 : 1],
    [
      "rookery_disk_full",
      "1: nothing is accepted that would be written.",
      fault === "full" ? 1 : 0,
    ],
    ["rookery_disk_free_bytes", "Free bytes on the disk of DATA_DIR.", pulse.diskFree() ?? NaN],
    [
      "rookery_lateness_seconds",
      "How long work waits for the event loop or the database.",
      pulse.lateness() / 1000,
    ],
    [
      "rookery_lease_takeovers",
      "Processes that this one found dead, and whose work it took over.",
      takeovers,
    ],
    ...(redis ? [["rookery_valkey_up", "1: Valkey answers.", redis.isUp() ? 1 : 0] as const] : []),
  ]);
};

const valkeyText = ({ redis }: App): string =>
  redis === null
    ? ""
    : labelledText(
        "rookery_valkey_messages_total",
        "Messages that this process received by Valkey: events for its streams, and what others invalidated.",
        "kind",
        Object.entries(redis.received),
      );

const replicaText = ({ replica }: App): string => {
  if (!replica) return "";
  const { isUsed, behindBytes, behindSeconds, statements } = replica.figures();
  return [
    gaugeText([
      ["rookery_replica_used", "1: reads go to the replica.", isUsed ? 1 : 0],
      [
        "rookery_replica_behind_bytes",
        "Bytes of the log that the replica lacked when it was last looked at.",
        behindBytes ?? NaN,
      ],
      [
        "rookery_replica_behind_seconds",
        "For how long the replica has not had everything.",
        behindSeconds ?? NaN,
      ],
    ]),
    labelledText(
      "rookery_replica_reads_total",
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
    ["rookery_jobs_waiting", "Jobs that are due (at most 10,000 are counted).", jobs],
    ["rookery_jobs_given_up", "Jobs that failed for good and are still stored.", failed],
    ["rookery_events_waiting", "Events whose flows have not run yet.", events],
    ["rookery_activities_waiting", "Activities of other servers.", activities],
    ["rookery_deliveries_waiting", "Activities for other servers.", deliveries],
    ["rookery_hosts_waiting", "Servers that deliveries wait for.", waiting.hosts],
    ["rookery_hosts_resting", "Those of them that did not answer.", waiting.resting],
    [
      "rookery_backup_time_seconds",
      "When the newest backup was made, in seconds since 1970.",
      backup ?? NaN,
    ],
  ]);
  const byJob = (value: (job: JobsDue) => number) =>
    due.map((job) => [job.job, value(job)] as const);
  const byShard = (value: (shard: ShardDepth) => number) =>
    depth.map((shard) => [shard.shard, value(shard)] as const);
  return [
    gauges,
    labelledText(
      "rookery_jobs_due",
      "Jobs that are due, by name.",
      "job",
      byJob(({ count }) => count),
    ),
    labelledText(
      "rookery_jobs_due_seconds",
      "For how long the oldest of them has been due.",
      "job",
      byJob(({ seconds }) => seconds),
    ),
    labelledText(
      "rookery_inbox_waiting",
      "Activities of other servers, by the shard that a worker takes them from.",
      "shard",
      byShard(({ count }) => count),
    ),
    labelledText(
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

const metricText = (all: Figures[], [name, help, figure]: Metric): string => {
  const values = all.map((each) => [each.name, each[figure]] as const);
  return labelledText(name, help, "name", values);
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
