// Writes docs/PERFORMANCE.md: the table of the last whole run, and the machine that it was measured on (`--write`).

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import type { Options } from "./options.ts";
import { narrowTable } from "./results.ts";
import type { Line } from "./results.ts";

const CHECKOUT = new URL("..", import.meta.url);
const PAGE = new URL("docs/PERFORMANCE.md", CHECKOUT);
const MARKS = /(?<=<!-- bench -->\n)[\s\S]*(?=\n<!-- \/bench -->)/;

const commitOf = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: CHECKOUT,
      encoding: "utf8",
    }).trim();
  } catch {
    return "no checkout";
  }
};

/**
 * Describes the run. The load average over 15 minutes includes the benchmark itself, which is about one for each core.
 */
const captionOf = ({ size, rounds }: Options): string =>
  [
    `Size ${size}, rounds: ${rounds}`,
    `${availableParallelism()} cores of ${cpus()[0]?.model ?? "an unknown processor"}`,
    `load ${loadavg()[2]!.toFixed(1)}`,
    `Node ${process.versions.node}`,
    `commit ${commitOf()}, ${new Date().toISOString().slice(0, 10)}.`,
  ].join("; ");

/** Returns the page with this text between its marks. */
export const withTable = (page: string, caption: string, lines: Line[]): string => {
  if (!MARKS.test(page)) throw new Error("docs/PERFORMANCE.md lacks the marks of its table");
  return page.replace(MARKS, () => `${caption}\n\n${narrowTable(lines)}`);
};

export const writePage = (options: Options, lines: Line[]): void =>
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), captionOf(options), lines));
