// Compares what statements returned in a run (record.ts) with the types that are written for them: a copy of the
// sources, in which `db<Row[]>` has become `db<Checked<Row[], …>>`, is compiled. Prints what does not fit, and the
// statements that no test has run.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Seen, Shape } from "./record.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Matches a type that the caller gives. */
const GENERIC = /^[A-Z]\[\]$/;

/** Returns where the type argument begins that ends before `end` (at a `>`), or null when there is none. */
const typeStart = (text: string, end: number): number | null => {
  if (text[end - 1] !== ">") return null;
  let depth = 0;
  for (let index = end - 1; index >= 0; index -= 1) {
    if (text[index] === ">" && text[index - 1] !== "=") depth += 1;
    if (text[index] === "<" && (depth -= 1) === 0) return index;
  }
  return null;
};

const offsetOf = (text: string, line: number, column: number): number => {
  let offset = 0;
  for (let rest = line; rest > 1; rest -= 1) offset = text.indexOf("\n", offset) + 1;
  return offset + column - 1;
};

const shapeType = (shape: Shape): string =>
  `{ ${Object.entries(shape)
    .map(([name, type]) => `${JSON.stringify(name)}: ${type}`)
    .join("; ")} }`;

const fits = (written: string, { shape, nulls }: Seen): string =>
  `Fits<${written}, ${shapeType(shape)}, ${nulls.map((name) => JSON.stringify(name)).join(" | ") || "never"}>`;

/** Returns the source with each written type and its proofs, without moving any line. */
const annotate = (text: string, seenHere: Map<string, Seen[]>): string => {
  const places = [...seenHere]
    .map(([position, shapes]) => {
      const [line, column] = position.split(":").map(Number);
      return { end: offsetOf(text, line!, column!), shapes };
    })
    .sort((a, b) => b.end - a.end);
  let annotated = text;
  for (const { end, shapes } of places) {
    const start = typeStart(text, end);
    if (start === null) continue;
    const written = text.slice(start + 1, end - 1);
    if (GENERIC.test(written)) continue;
    const proofs = shapes.reduce(
      (inner, shape) => `Checked<${inner}, ${fits(written, shape)}>`,
      written,
    );
    annotated = `${annotated.slice(0, start)}<${proofs}>${annotated.slice(end)}`;
  }
  return annotated;
};

/** Adds a shape; the same columns may be null in some results. */
const addShape = (shapes: Seen[], fresh: Seen): Seen[] => {
  const key = JSON.stringify(fresh.shape);
  const before = shapes.find(({ shape }) => JSON.stringify(shape) === key);
  if (!before) return [...shapes, fresh];
  before.nulls = [...new Set([...before.nulls, ...fresh.nulls])];
  return shapes;
};

/** Reads what was seen, by file and position. */
const readSeen = (file: string): Map<string, Map<string, Seen[]>> => {
  const files = new Map<string, Map<string, Seen[]>>();
  for (const line of new Set(readFileSync(file, "utf8").split("\n"))) {
    if (line === "") continue;
    const seen = JSON.parse(line) as Seen;
    const [, path, position] = /^(.*?):(\d+:\d+)$/.exec(seen.place)!;
    const places = files.get(path!) ?? new Map<string, Seen[]>();
    files.set(path!, places);
    places.set(position!, addShape(places.get(position!) ?? [], seen));
  }
  return files;
};

/** Returns typed statements that no test has run. */
const unseen = (path: string, places: Map<string, Seen[]> | undefined): string[] => {
  const text = readFileSync(join(ROOT, path), "utf8");
  return [...text.matchAll(/\b(?:db|sql|tx)<[^`;]*?>`/g)].flatMap(({ 0: statement, index }) => {
    const before = text.slice(0, index + statement.length - 1);
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    return places?.has(`${line}:${column}`)
      ? []
      : [`${path}(${line},${column}): no test runs this statement`];
  });
};

const seen = readSeen(process.argv[2]!);
const copy = mkdtempSync(join(tmpdir(), "rookery-rows-"));
try {
  for (const name of ["src", "packages", "bin", "texts", "package.json", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/\.(?:test|contract)\.ts$/.test(path),
    });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  // The server's pages have types of the web client, which is not checked here.
  symlinkSync(join(ROOT, "web"), join(copy, "web"));
  cpSync(join(import.meta.dirname, "fits.d.ts"), join(copy, "fits.d.ts"));
  for (const [path, places] of seen) {
    const target = join(copy, path);
    writeFileSync(target, annotate(readFileSync(target, "utf8"), places));
  }
  const options = JSON.parse(readFileSync(join(copy, "tsconfig.json"), "utf8"));
  writeFileSync(
    join(copy, "tsconfig.json"),
    JSON.stringify({ ...options, include: ["src", "packages/*/src", "fits.d.ts"] }),
  );
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const { status, stdout } = spawnSync(tsc, ["--noEmit", "--singleThreaded", "--pretty", "false"], {
    cwd: copy,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  process.stdout.write(stdout);
  const missed = globSync("{src,packages/*/src}/**/*.ts", { cwd: copy }).flatMap((path) =>
    unseen(path, seen.get(path)),
  );
  for (const line of missed) console.log(line);
  process.exitCode = status !== 0 || missed.length > 0 ? 1 : 0;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
