// GET /metrics: how the process is doing and what it holds in memory, in the text format of Prometheus, for requests
// with METRICS_TOKEN. https://prometheus.io/docs/instrumenting/exposition_formats/

import { timingSafeEqual } from "node:crypto";
import type { App } from "../app.ts";
import type { Figures } from "../caches/index.ts";
import { Unauthorized } from "../errors.ts";
import { bearerToken } from "./auth.ts";
import { UNCOUNTED } from "./request-rates.ts";
import type { Server } from "./server.ts";

type Metric = {
  name: string;
  type: "gauge" | "counter";
  help: string;
  value: (figures: Figures) => number;
};

const METRICS: Metric[] = [
  {
    name: "rookery_memory_entries",
    type: "gauge",
    help: "What a cache has, or what waits in a queue, a batcher or a single-flight.",
    value: ({ entries }) => entries,
  },
  {
    name: "rookery_memory_bytes",
    type: "gauge",
    help: "Bytes that it takes, about.",
    value: ({ bytes }) => bytes,
  },
  {
    name: "rookery_memory_limit_bytes",
    type: "gauge",
    help: "Its share of CACHE_MB; 0 where something else bounds it.",
    value: ({ maxBytes }) => maxBytes,
  },
  {
    name: "rookery_memory_hits_total",
    type: "counter",
    help: "Look-ups that found something.",
    value: ({ hits }) => hits,
  },
  {
    name: "rookery_memory_misses_total",
    type: "counter",
    help: "Look-ups that found nothing.",
    value: ({ misses }) => misses,
  },
];

type Gauge = [name: string, help: string, value: number];

const healthText = ({ pulse, redis, process: { takeovers } }: App): string => {
  const fault = pulse.fault();
  const gauges: Gauge[] = [
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
    ...(redis ? [["rookery_valkey_up", "1: Valkey answers.", redis.isUp() ? 1 : 0] as Gauge] : []),
  ];
  return gauges
    .map(
      ([name, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`,
    )
    .join("");
};

const metricText = (figures: Figures[], { name, type, help, value }: Metric): string => {
  const lines = figures.map((one) => `${name}{name="${one.name}"} ${value(one)}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
};

const isSame = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));

/** Without METRICS_TOKEN the path does not exist. */
export const metricsRoute = (server: Server, app: App): void => {
  const wanted = app.config.http.metricsToken;
  if (wanted === null) return;
  server.get("/metrics", UNCOUNTED, async (request, reply) => {
    if (!isSame(bearerToken(request) ?? "", wanted)) throw new Unauthorized();
    const figures = app.caches.figures();
    return reply
      .header("content-type", "text/plain; version=0.0.4; charset=utf-8")
      .header("cache-control", "private, no-store")
      .send(METRICS.map((metric) => metricText(figures, metric)).join("") + healthText(app));
  });
};
