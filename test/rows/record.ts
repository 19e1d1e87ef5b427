// Records what the statements of a run return: for each place in src/ and in a package its columns with their types,
// and which of them were null. `npm test` compares it with the types that are written there (check.ts). Imported first
// by what runs tests, and by their servers.

import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { relative } from "node:path";

/** The columns of one result, by name, with their TypeScript types. */
export type Shape = Record<string, string>;
/** A place (`src/a/queries.ts:12:20`) with what one of its statements returned; `nulls` are columns that were null. */
export type Seen = { place: string; shape: Shape; nulls: string[] };

type Column = { name: string; type: number };
type Rows = Record<string, unknown>[] & { columns?: Column[] };
type Query = Promise<Rows> & {
  executed: boolean;
  isRaw: unknown;
  /** A template has the same array each time. */
  strings: object;
  origin: string;
  handle(): unknown;
};

const ROOT = new URL("../../", import.meta.url).pathname;
/** Files that only forward statements of others. */
const WRAPPERS = /\/platform\/db\/(?:lost-transactions|replica|traced)\.ts/;
/** Files of the server and its packages. */
const OURS = /^(?:src|packages\/[\w-]+\/src)\//;
/** Column that a test adds to every table (expanded.test.ts). */
const NEWER = "of_the_next_version";
/** Rows of a result that are searched for nulls. */
const MAX_ROWS = 50;

/** The driver's TypeScript type of each type OID. */
const TYPES: Record<number, string> = {
  16: "boolean",
  17: "Uint8Array",
  19: "string",
  20: "string",
  21: "number",
  23: "number",
  25: "string",
  26: "number",
  114: "unknown",
  700: "number",
  701: "number",
  869: "string",
  1042: "string",
  1043: "string",
  1082: "Date",
  1083: "string",
  1114: "Date",
  1184: "Date",
  1186: "string",
  1700: "string",
  2249: "string",
  2278: "unknown",
  2950: "string",
  3802: "unknown",
};
const ARRAYS: Record<number, number> = {
  199: 114,
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1041: 869,
  1115: 1114,
  1182: 1082,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

/** Returns the type; enumerations and others without a fixed OID come as strings. */
const typeOf = (oid: number): string => {
  const element = ARRAYS[oid];
  return element === undefined ? (TYPES[oid] ?? "string") : `(${TYPES[element]} | null)[]`;
};

const placeOf = (origin: string): string | null => {
  for (const line of origin.split("\n")) {
    const [, path, position] = /(?:file:\/\/)?(\/[^():]+\.ts):(\d+:\d+)/.exec(line) ?? [];
    if (!path || WRAPPERS.test(path)) continue;
    const file = relative(ROOT, path);
    if (OURS.test(file) && !file.endsWith(".test.ts")) return `${file}:${position}`;
    return null;
  }
  return null;
};

/** The columns of a result; `never` names those that have not been null so far. */
type Known = { shape: Shape; never: string[] };
/** What is known of a template: looking at each result whole takes more of the CPU than many tests do. */
type Statement = { place: string | null; known: WeakMap<Column[], Known> };

const shapeOf = (columns: Column[]): Known => {
  const shape: Shape = {};
  for (const { name, type } of columns) if (name !== NEWER) shape[name] = typeOf(type);
  return { shape, never: Object.keys(shape) };
};

const nullsAmong = (names: string[], rows: Rows): string[] => {
  const few = rows.slice(0, MAX_ROWS);
  return names.filter((name) => few.some((row) => row[name] === null));
};

/** Makes the place appear among the stack frames that the driver keeps; the result ends that, once it is loaded. */
const deepen = (): { deregister(): void } =>
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith("/node_modules/postgres/cjs/src/query.js")) return loaded;
      const source = String(loaded.source).replace(
        "Error.stackTraceLimit = 4",
        "Error.stackTraceLimit = 9",
      );
      return { ...loaded, source };
    },
  });

/** Appends what is seen in this process to the file, one line each. */
const recordRows = async (file: string): Promise<void> => {
  const hooks = deepen();
  const { postgres } = await import("../../src/platform/db/driver.ts");
  hooks.deregister();
  const sql = postgres({ max: 1 });
  const prototype = Object.getPrototypeOf(sql`SELECT 1`) as Query;
  const { handle } = prototype;
  const seen = new Set<string>();
  const statements = new WeakMap<object, Statement>();
  const statementOf = ({ strings, origin }: Query): Statement => {
    const statement: Statement = { place: placeOf(origin), known: new WeakMap() };
    statements.set(strings, statement);
    return statement;
  };
  const record = (query: Query, rows: Rows): void => {
    if (!rows.columns?.length || query.isRaw) return;
    const { place, known } = statements.get(query.strings) ?? statementOf(query);
    if (place === null) return;
    const before = known.get(rows.columns);
    const { shape, never } = before ?? shapeOf(rows.columns);
    const nulls = nullsAmong(never, rows);
    if (before && nulls.length === 0) return;
    known.set(rows.columns, { shape, never: never.filter((name) => !nulls.includes(name)) });
    const line = JSON.stringify({ place, shape, nulls } satisfies Seen);
    if (seen.has(line)) return;
    seen.add(line);
    appendFileSync(file, `${line}\n`);
  };
  prototype.handle = function (this: Query) {
    if (this.executed) return handle.call(this);
    const result = handle.call(this);
    Promise.prototype.then.call(
      this,
      (rows: Rows) => record(this, rows),
      () => {},
    );
    return result;
  };
};

const file = process.env["TEST_ROWS"];
if (file) await recordRows(file);
