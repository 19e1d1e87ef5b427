// The layouts of servers in journeys: one process, or two for the web, two workers and one for the streams
// (cluster.ts). `npm run journeys` runs every journey in both layouts, and prints the results.

export const LAYOUTS = ["one", "split"] as const;

export type Layout = (typeof LAYOUTS)[number];

/** Whether the servers of this run consist of several processes. */
export const isSplit = process.env["JOURNEYS"] === "split";

/** Value for `skip` of a journey or step about a server of one process. */
export const onlyOne = isSplit && "only with one process";

/** Value for `skip` of a journey that starts several processes by itself. */
export const onlySplit = process.env["JOURNEYS"] === "one" && "only with several processes";

export type Count = { passed: number; failed: number; skipped: number };

const TITLES: Record<Layout, string> = {
  one: "one process",
  split: "2 web + 2 worker + 1 streaming",
};

const cell = (count: Count | undefined): string => {
  if (!count || count.passed + count.failed === 0) return "–";
  if (count.failed > 0) return `FAILED ${count.failed} of ${count.passed + count.failed}`;
  return `passed (${count.passed})`;
};

/** Returns a Markdown table: a row for each journey, with how many of its steps passed. */
export const layoutTable = (journeys: Map<string, Partial<Record<Layout, Count>>>): string =>
  [
    `| journey | ${LAYOUTS.map((layout) => TITLES[layout]).join(" | ")} |`,
    `|---|${LAYOUTS.map(() => "---|").join("")}`,
    ...[...journeys].map(
      ([name, counts]) =>
        `| ${name} | ${LAYOUTS.map((layout) => cell(counts[layout])).join(" | ")} |`,
    ),
  ].join("\n");
