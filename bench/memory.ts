// Says where the memory of a server is: a table with a row for each kind of process, from /proc/PID/smaps. Linux.

import { readFileSync } from "node:fs";
import { pidsOf } from "./measure.ts";
import { cacheFigures, metricsOf } from "./server.ts";
import type { Server } from "./server.ts";

const COLUMNS = ["V8 and buffers", "machine code", "C library", "programs", "shared"] as const;
type Column = (typeof COLUMNS)[number];
type Parts = Record<Column, number>;

const RANGE = /^[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \d+ *(.*)$/;

/** Returns where a mapping belongs, by its permissions and its name. */
const columnOf = (permissions: string, name: string): Column => {
  if (permissions.endsWith("s") || name.startsWith("/dev/")) return "shared";
  if (name.startsWith("/")) return "programs";
  if (name !== "") return "C library";
  return permissions.includes("x") ? "machine code" : "V8 and buffers";
};

const empty = (): Parts => ({
  "V8 and buffers": 0,
  "machine code": 0,
  "C library": 0,
  programs: 0,
  shared: 0,
});

/** Returns MB (PSS) of each kind of mapping of a text of smaps. */
export const partsOf = (smaps: string): Parts => {
  const parts = empty();
  let column: Column = "programs";
  for (const line of smaps.split("\n")) {
    const range = RANGE.exec(line);
    if (range) column = columnOf(range[1]!, range[2]!);
    const pss = /^Pss: +(\d+) kB/.exec(line);
    if (pss) parts[column] += Number(pss[1]) / 1024;
  }
  return parts;
};

/** `postgres: rookery rookery [local] idle` is a connection; other processes are named by their first word or role. */
export const kindOf = (command: string): string => {
  const [, title] = /^postgres: (.+?) *$/.exec(command) ?? [];
  if (title !== undefined) return /\[local\]|\(\d+\)/.test(title) ? "connection" : title;
  const [program = ""] = command.split(" ");
  return program.split("/").pop()!;
};

type Kind = Parts & { count: number };

const read = (pid: number): { kind: string; parts: Parts } | null => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ").trim();
    return { kind: kindOf(command), parts: partsOf(readFileSync(`/proc/${pid}/smaps`, "latin1")) };
  } catch {
    return null; // it has ended
  }
};

const rounded = (value: number): string => value.toFixed(1);

/** Returns a table of the memory of the trees of `roots`, in MB (PSS: a shared page counts in proportion). */
export const memoryTable = (roots: readonly number[]): string => {
  const kinds = new Map<string, Kind>();
  for (const pid of roots.flatMap(pidsOf)) {
    const found = read(pid);
    if (!found) continue;
    const sum = kinds.get(found.kind) ?? { ...empty(), count: 0 };
    for (const column of COLUMNS) sum[column] += found.parts[column];
    kinds.set(found.kind, { ...sum, count: sum.count + 1 });
  }
  const total = (kind: Kind) => COLUMNS.reduce((sum, column) => sum + kind[column], 0);
  const all = { ...empty(), count: 0 };
  for (const kind of kinds.values())
    for (const column of [...COLUMNS, "count"] as const) all[column] += kind[column];
  const row = (name: string, kind: Kind) => [
    name,
    kind.count,
    ...[...COLUMNS.map((column) => kind[column]), total(kind)].map(rounded),
  ];
  const rows = [...kinds]
    .toSorted(([, one], [, other]) => total(other) - total(one))
    .map(([name, kind]) => row(name, kind));
  return [
    ["MB of", "processes", ...COLUMNS, "all"],
    ["-", "-", ...COLUMNS.map(() => "-"), "-"],
    ...rows,
    row("all", all),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
};

/** Returns what a process says of itself: V8's heap, what is bound to it (buffers), and the caches that it has. */
const heapOf = async (port: number): Promise<string> => {
  const text = await metricsOf(port);
  const megabytes = (name: string) =>
    (Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1] ?? 0) / 2 ** 20).toFixed(1);
  let caches = 0;
  for (const { bytes } of (await cacheFigures(port)).values()) caches += bytes;
  return `V8: ${megabytes("nodejs_heap_size_used_bytes")} of ${megabytes("nodejs_heap_size_total_bytes")} MB in use, buffers ${megabytes("nodejs_external_memory_bytes")} MB; caches ${rounded(caches / 2 ** 20)} MB`;
};

/** Returns the table of a server's processes, and what the ones for the web say of themselves. */
export const whereMemoryIs = async ({ roots, ports }: Server): Promise<string> =>
  [memoryTable(roots), ...(await Promise.all(ports.map(heapOf)))].join("\n");
