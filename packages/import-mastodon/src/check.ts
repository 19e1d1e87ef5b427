// Checks that an import is complete: the numbers of rows agree, and random rows of every step are converted again and
// compared with what is stored here, column by column.

import type { App, Sql } from "./uses.ts";
import { fileMover } from "./files.ts";
import type { From } from "./move-in.ts";
import { selectCountHere, selectDifferent, selectProgress, selectTarget } from "./queries.ts";
import type { Progress } from "./queries.ts";
import { isThere, selectCount, selectOldColumns, selectSample } from "./queries-source.ts";
import { countedIn } from "./step.ts";
import type { Step } from "./step.ts";
import { STEPS } from "./steps.ts";

export type Check = { faults: string[]; compared: number; counted: number };

const SAMPLE = 1000;

/** Columns that are not compared: they are sealed anew each time, or made by a later step. */
const UNCOMPARED: Record<string, string[]> = {
  accounts: ["note_html", "fields"],
  statuses: ["in_reply_to_id"],
  totp_secrets: ["sealed"],
  push_subscriptions: ["access_token"],
  account_deletions: ["due_at"],
  cleanup_policies: ["due_at"],
  notification_requests: ["count", "created_at", "updated_at"],
};

/** Returns steps by the table here that has a row for each of theirs. */
const countedTables = (steps: Step[]): Map<string, Step[]> => {
  const tables = new Map<string, Step[]>();
  for (const step of steps) {
    const table = countedIn(step);
    if (table) tables.set(table, [...(tables.get(table) ?? []), step]);
  }
  return tables;
};

/** Returns the number of rows left out, which were counted while they were read, perhaps in several passes. */
const leftOut = (steps: Step[], progress: Progress[]): number =>
  progress
    .filter(({ name }) => steps.some((step) => step.name === name))
    .reduce((sum, { orphans, refused }) => sum + Number(orphans) + Number(refused), 0);

const checkCounts = async ({ sql }: App, old: Sql, steps: Step[]): Promise<Check> => {
  const progress = await selectProgress(sql);
  const tables = countedTables(steps);
  const faults: string[] = [];
  for (const [table, of] of tables) {
    const counts = await Promise.all(of.map((step) => selectCount(old, step)));
    const there = counts.reduce((sum, count) => sum + count, 0);
    const here = await selectCountHere(sql, table);
    if (here > there || here < there - leftOut(of, progress))
      faults.push(`${table}: ${there} rows there, ${here} here`);
  }
  return { faults, compared: 0, counted: tables.size };
};

/** `rows` is the maximum number compared of each step. */
export const checkImport = async (
  app: App,
  { old, env, media }: From,
  rows = SAMPLE,
): Promise<Check> => {
  const columns = await selectOldColumns(old);
  const context = {
    app,
    old,
    env,
    origin: app.config.site.origin,
    files: fileMover(app, media),
    pass: 1,
  };
  const there = STEPS.filter((step) => isThere(columns, step));
  const { faults, counted } = await checkCounts(app, old, there);
  let compared = 0;
  const steps = there.filter(({ takesNothing }) => !takesNothing);
  for (const step of steps) {
    const sample = await selectSample(old, step, columns, rows);
    const { into = {} } = sample.length > 0 ? await step.convert(sample, context) : {};
    for (const [table, expected] of Object.entries(into)) {
      const target = await selectTarget(app.sql, table);
      faults.push(...(await selectDifferent(app.sql, target, expected, UNCOMPARED[table] ?? [])));
      compared += expected.length;
    }
  }
  return { faults, compared, counted };
};
