// Runs the import: every step's rows in batches, each in a transaction that also stores the progress, so that it
// continues there after any end. A later pass deletes what is gone and takes what changed (docs/design/moving.md).

import { sqlState } from "./uses.ts";
import type { Tx } from "./uses.ts";
import { finish } from "./finish.ts";
import {
  deleteBy,
  finishPass,
  insertAdvance,
  insertDone,
  insertPass,
  insertRefused,
  patchRows,
  selectIds,
  selectPass,
  selectProgress,
  selectTarget,
  upsertRows,
} from "./queries.ts";
import type { Progress, Target } from "./queries.ts";
import {
  isThere,
  selectBatch,
  selectGone,
  selectOldColumns,
  selectOldNow,
} from "./queries-source.ts";
import type { Column } from "./queries-source.ts";
import { countedIn } from "./step.ts";
import type { Context, Row, Step, Written } from "./step.ts";

const BATCH = 2000;
const SWEPT = 20_000;

type Run = {
  context: Context;
  columns: Column[];
  since: string | null;
  targets: Map<string, Target>;
  /** Maximum rows of a batch. */
  rowsAtOnce: number;
  /** Called after each batch; throws to end the run there. */
  onBatch(step: Step, rows: number): void;
};

const targetOf = async ({ targets }: Run, tx: Tx, table: string): Promise<Target> => {
  const target = targets.get(table) ?? (await selectTarget(tx, table));
  targets.set(table, target);
  return target;
};

/** Writes a batch and returns how many rows were left out because rows that they refer to are missing. */
const write = async (run: Run, tx: Tx, written: Written): Promise<number> => {
  const { forget = [], into = {}, keep = [], patch = {} } = written;
  let orphans = 0;
  for (const { table, column, ids } of forget) {
    if (ids.length > 0) await deleteBy(tx, table, column, ids);
  }
  for (const [table, rows] of Object.entries(into)) {
    orphans += await upsertRows(tx, await targetOf(run, tx, table), rows, {
      keep: keep.includes(table),
    });
  }
  for (const [table, rows] of Object.entries(patch)) {
    await patchRows(tx, await targetOf(run, tx, table), rows);
  }
  return orphans;
};

/** Whether the database refused rows that break a rule here (SQLSTATE classes 21, 22 and 23). */
const isRefusal = (error: unknown): boolean => /^2[123]/.test(sqlState(error) ?? "");

const keyOf = ({ key = ["id"] }: Step, row: Row): string[] => key.map((name) => String(row[name]));

type Batch = { rows: Row[]; written: Written };

/** Counts rows that the step converted to nothing, because what they are about is gone. */
const unplaced = (step: Step, { rows, written }: Batch): number => {
  const table = countedIn(step);
  return table ? rows.length - (written.into?.[table]?.length ?? 0) : 0;
};

/** Writes a batch; where a row is refused, in halves until that row stands alone. */
const writeBatch = async (run: Run, step: Step, { rows, written }: Batch): Promise<void> => {
  const { app, pass } = run.context;
  const advance = { name: step.name, pass, after: keyOf(step, rows.at(-1)!), rows: rows.length };
  try {
    await app.sql.begin(async (tx) => {
      const left = unplaced(step, { rows, written }) + (await write(run, tx, written));
      await insertAdvance(tx, advance, left);
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (rows.length === 1) {
      const fault = `${keyOf(step, rows[0]!).join(" ")}: ${(error as Error).message}`;
      await insertRefused(app.sql, step.name, pass, fault);
      return;
    }
    const half = Math.ceil(rows.length / 2);
    for (const part of [rows.slice(0, half), rows.slice(half)])
      await writeBatch(run, step, { rows: part, written: await step.convert(part, run.context) });
  }
};

/** Deletes what the other database has no more. */
const sweep = async ({ context: { app, old } }: Run, step: Step, table: string): Promise<void> => {
  for (let after = "-1"; ;) {
    const ids = await selectIds(app.sql, table, after, SWEPT);
    if (ids.length === 0) return;
    const gone = await selectGone(old, step, ids);
    if (gone.length > 0) await app.sql.begin((tx) => deleteBy(tx, table, "id", gone));
    after = ids.at(-1)!;
  }
};

const runStep = async (run: Run, step: Step, before: Progress | undefined): Promise<void> => {
  const { context, columns, since } = run;
  const isBegun = before?.pass === context.pass;
  if (isBegun && before.done) return;
  if (context.pass > 1 && step.sweeps) await sweep(run, step, step.sweeps);
  const limit = Math.min(step.batch ?? BATCH, run.rowsAtOnce);
  const read = async (after: string[] | null): Promise<Batch> => {
    const rows = await selectBatch(context.old, step, columns, { after, since, limit });
    return { rows, written: rows.length > 0 ? await step.convert(rows, context) : {} };
  };
  // The next batch is read and converted while one is written.
  let next = step.takesNothing ? null : read(isBegun ? before.after : null);
  while (next) {
    const batch: Batch = await next;
    if (batch.rows.length === 0) break;
    next = read(keyOf(step, batch.rows.at(-1)!));
    next.catch(() => {});
    await writeBatch(run, step, batch);
    run.onBatch(step, batch.rows.length);
  }
  await next?.catch(() => {});
  await insertDone(context.app.sql, step.name, context.pass);
};

/** Begins the first pass, continues an interrupted one, or begins the next. */
export const runSteps = async (
  base: Omit<Context, "pass">,
  steps: Step[],
  { rowsAtOnce, onBatch }: Pick<Run, "rowsAtOnce" | "onBatch">,
): Promise<void> => {
  const { app, old } = base;
  await insertPass(app.sql, await selectOldNow(old));
  const { pass, since } = (await selectPass(app.sql))!;
  const columns = await selectOldColumns(old);
  const context = { ...base, pass };
  const run: Run = { context, columns, since, targets: new Map(), rowsAtOnce, onBatch };
  const progress = new Map((await selectProgress(app.sql)).map((row) => [row.name, row]));
  for (const step of steps.filter((each) => isThere(columns, each)))
    await runStep(run, step, progress.get(step.name));
  await finish(app);
  await finishPass(app.sql);
};
