// Counters and histograms for /metrics. A label is a route, a job or a status, so that there are few series; values
// beyond a limit are counted as `other`.

export type Histogram = {
  /** `labels` are the values of the labels in their order. */
  observe(labels: string[], seconds: number): void;
  /** Returns the text format: https://prometheus.io/docs/instrumenting/exposition_formats/#histograms-and-summaries */
  text(): string;
};

export type Counter = {
  count(label: string): void;
  text(): string;
};

export type Meters = {
  requests: Histogram;
  queries: Histogram;
  jobs: Histogram;
  outgoing: Histogram;
  deliveries: Counter;
};

const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10];
const MAX_SERIES = 1000;

type Series = { labels: string[]; counts: number[]; sum: number; count: number };

const escaped = (text: string): string =>
  text.replaceAll(/["\\\n]/g, (character) => `\\${character}`);

/** Counters have names that end with `_total`. */
const heading = (name: string, help: string): string =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}\n`;

/** Writes a metric with one label, a line for each value of the label. */
export const labelledText = (
  name: string,
  help: string,
  label: string,
  values: Iterable<readonly [string, number]>,
): string => {
  const lines = Array.from(
    values,
    ([value, figure]) => `${name}{${label}="${escaped(value)}"} ${figure}\n`,
  );
  return heading(name, help) + lines.join("");
};

const createHistogram = (name: string, help: string, names: string[]): Histogram => {
  const all = new Map<string, Series>();
  const seriesOf = (labels: string[]): Series => {
    const key = labels.join("\n");
    const known = all.get(key);
    if (known) return known;
    if (all.size >= MAX_SERIES && labels[0] !== "other") return seriesOf(names.map(() => "other"));
    const series = { labels, counts: BOUNDS.map(() => 0), sum: 0, count: 0 };
    all.set(key, series);
    return series;
  };
  const linesOf = ({ labels, counts, sum, count }: Series): string => {
    const pairs = names.map((label, n) => `${label}="${escaped(labels[n]!)}"`).join(",");
    const bucket = (le: number | string, value: number) =>
      `${name}_bucket{${pairs},le="${le}"} ${value}\n`;
    const buckets = BOUNDS.map((le, n) => bucket(le, counts[n]!)).join("");
    const sums = `${name}_sum{${pairs}} ${sum}\n${name}_count{${pairs}} ${count}\n`;
    return buckets + bucket("+Inf", count) + sums;
  };
  return {
    observe(labels, seconds) {
      const series = seriesOf(labels);
      series.count += 1;
      series.sum += seconds;
      for (const [n, bound] of BOUNDS.entries()) if (seconds <= bound) series.counts[n]! += 1;
    },
    text: () =>
      `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${[...all.values()].map(linesOf).join("")}`,
  };
};

/** The label has few values: the code names them. */
const createCounter = (name: string, help: string, label: string): Counter => {
  const counts = new Map<string, number>();
  return {
    count: (value) => void counts.set(value, (counts.get(value) ?? 0) + 1),
    text: () => labelledText(name, help, label, counts),
  };
};

export const createMeters = (): Meters => ({
  requests: createHistogram("rookery_http_request_seconds", "Requests, by route and status.", [
    "method",
    "route",
    "status",
  ]),
  queries: createHistogram(
    "rookery_query_seconds",
    "SQL statements, from being given to being answered, by their first word and result.",
    ["statement", "result"],
  ),
  deliveries: createCounter(
    "rookery_deliveries_total",
    "Attempts to deliver: done, later (again), pause or down (the host), refused (given up), aborted.",
    "result",
  ),
  jobs: createHistogram("rookery_job_seconds", "Jobs, by name and result.", ["job", "result"]),
  outgoing: createHistogram(
    "rookery_outgoing_request_seconds",
    "Requests to other servers, by status; `failed`: no answer.",
    ["method", "status"],
  ),
});

const PROCESS = () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const started = Date.now() / 1000 - process.uptime();
  return [
    ["process_cpu_seconds_total", "CPU time of this process.", (user + system) / 1e6],
    ["process_resident_memory_bytes", "Memory of this process.", rss],
    ["process_start_time_seconds", "When this process began.", started],
    ["nodejs_heap_size_total_bytes", "Memory of V8's heap.", heapTotal],
    ["nodejs_heap_size_used_bytes", "Memory of V8's heap in use.", heapUsed],
    ["nodejs_external_memory_bytes", "Memory bound to V8's heap: buffers.", external],
  ] as const;
};

type Gauge = readonly [name: string, help: string, value: number];

export const gaugeText = (gauges: readonly Gauge[]): string =>
  gauges.map(([name, help, value]) => `${heading(name, help)}${name} ${value}\n`).join("");

export const processText = (): string => gaugeText(PROCESS());
