// Turns the rounds into results: medians, ratios, whether an aim is met; as a table and as JSON.

import type { Aim, Row, Sample } from "./scenarios/scenario.ts";

/** One result in the JSON. `aim` is a bound of the ratio or of the value, as the scenario defines. */
export type Result = {
  name: string;
  value: number;
  unit: string;
  floor: number | null;
  ratio: number | null;
  aim: number | null;
  /** Null where there is no aim. */
  met: boolean | null;
  p50_ms: number | null;
  p99_ms: number | null;
  queries: number | null;
  /** Milliseconds of CPU per operation, which `rookery plan --figures` reads. */
  node_ms: number | null;
  postgres_ms: number | null;
};

/** A line of the table, which shows more than the JSON. */
export type Line = Result & { shown: Shown };

type Shown = {
  aim: string;
  /** MB (PSS) of the server after the scenario. */
  memory: number | null;
  /** Difference between the rounds, as a share of the figure. */
  spread: number;
};

export type Measured = {
  row: Row;
  samples: Sample[];
  floors: number[];
  queries: number | null;
  /** MB of the server after its last round. */
  memory: number | null;
};

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

const medianOf = (values: (number | undefined)[]): number | null => {
  const numbers = values.filter((value) => value !== undefined);
  return numbers.length > 0 ? median(numbers) : null;
};

/** Fraction above a whole number of statements that is ignored, since the queue may poll while they are counted. */
const QUERY_NOISE = 0.1;

const isMet = (aim: Aim, value: number, ratio: number | null, queries: number | null): boolean => {
  const figure = aim.of === "ratio" ? (ratio ?? Number.NaN) : value;
  const inBounds = figure >= (aim.least ?? -Infinity) && figure <= (aim.most ?? Infinity);
  if (aim.queries === undefined || queries === null) return inBounds;
  return inBounds && queries <= aim.queries + QUERY_NOISE;
};

const aimText = (aim: Aim | null, unit: string): string => {
  if (!aim) return "";
  const bound = aim.least === undefined ? `≤ ${aim.most}` : `≥ ${aim.least}`;
  const what = aim.of === "ratio" ? `${bound} ×` : `${bound} ${unit}`;
  return aim.queries === undefined ? what : `${what}, ${aim.queries} query`;
};

export const summarise = ({ row, samples, floors, queries, memory }: Measured): Line => {
  const { name, unit, aim } = row;
  const values = samples.map((sample) => sample.value);
  const value = median(values);
  const floor = floors.length > 0 ? median(floors) : null;
  const paired = medianOf(samples.map((sample) => sample.ratio));
  const ratio = paired ?? (floor === null ? null : value / floor);
  return {
    name,
    value,
    unit,
    floor,
    ratio,
    aim: aim ? (aim.least ?? aim.most ?? null) : null,
    met: aim ? isMet(aim, value, ratio, queries) : null,
    p50_ms: medianOf(samples.map((sample) => sample.p50)),
    p99_ms: medianOf(samples.map((sample) => sample.p99)),
    queries,
    node_ms: medianOf(samples.map((sample) => sample.cpu?.node)),
    postgres_ms: medianOf(samples.map((sample) => sample.cpu?.postgres)),
    shown: {
      aim: aimText(aim, unit),
      memory,
      spread: (Math.max(...values) - Math.min(...values)) / value,
    },
  };
};

export const short = (value: number | null): string => {
  if (value === null) return "";
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value >= 0.1 ? value.toFixed(2) : value.toFixed(3);
};

const metText = (met: boolean | null): string => (met === null ? "" : met ? "yes" : "NO");

const cells = (line: Line): string[] => [
  line.name,
  short(line.value),
  line.unit,
  short(line.floor),
  short(line.ratio),
  line.shown.aim,
  metText(line.met),
  short(line.p50_ms),
  short(line.p99_ms),
  short(line.queries),
  short(line.node_ms),
  short(line.postgres_ms),
  line.shown.memory === null ? "" : line.shown.memory.toFixed(0),
  `${(line.shown.spread * 100).toFixed(0)} %`,
];

const HEAD = [
  "scenario",
  "figure",
  "unit",
  "floor",
  "ratio",
  "aim",
  "met",
  "p50 ms",
  "p99 ms",
  "queries",
  "node ms",
  "pg ms",
  "MB",
  "spread",
];

/** Returns the same table in as few characters as Markdown needs, for a page that is read as HTML. */
export const narrowTable = (lines: Line[]): string =>
  [HEAD, HEAD.map(() => "-"), ...lines.map(cells)].map((row) => `|${row.join("|")}|`).join("\n");

/** Returns a Markdown table that is aligned for a terminal; for its columns see Shown. */
export const table = (lines: Line[]): string => {
  const rows = [HEAD, ...lines.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const print = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [print(rows[0]!), rule, ...rows.slice(1).map(print)].join("\n");
};

export const toJson = (lines: Line[]): string => {
  const results = lines.map(({ shown: _shown, ...line }) => line);
  return `${JSON.stringify(results, null, 2)}\n`;
};
