// The command `rookery restore --check --deep` runs a drill, and prints and stores its result.

import { runDrill } from "./run.ts";
import type { DrillResult } from "./run.ts";
import { sqlState, ConfigError, megabytes, progressLine, withApp } from "../uses.ts";
import type { Checked } from "../check.ts";
import { insertDrill } from "../queries-outcomes.ts";

const UNDEFINED_TABLE = "42P01";
const MAX_SHOWN = 20;

/** Ends the work at Ctrl-C and SIGTERM, so that it can clean up. */
const untilInterrupted = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const interruption = new AbortController();
  const stop = () =>
    interruption.abort(new ConfigError("The drill was interrupted, and is removed."));
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  try {
    return await work(interruption.signal);
  } finally {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  }
};

/** Stores the result for the doctor; returns null, or why it was not stored. */
const store = async (
  { manifest }: Checked,
  { failures, ...result }: DrillResult,
): Promise<string | null> => {
  const [first] = failures;
  const fault = first ? `${first.question}: ${first.fault}` : null;
  const outcome = { ...result, failures: failures.length, fault };
  try {
    return await withApp(
      async ({ sql, config }) => {
        if (config.site.localDomain !== manifest.local_domain) {
          return `The server of this machine is ${config.site.localDomain}.`;
        }
        await insertDrill(sql, outcome);
        return null;
      },
      { migrated: false },
    );
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    if (sqlState(error) === UNDEFINED_TABLE) return "Its database is not migrated yet.";
    throw error;
  }
};

const showResult = ({ questions, failures }: DrillResult, reason: string | null): void => {
  const right = `${questions} questions, all answered as the database says.`;
  console.log(failures.length === 0 ? right : `${questions} questions, ${failures.length} failed:`);
  for (const { question, fault } of failures.slice(0, MAX_SHOWN)) {
    console.log(`  ${question}\n    ${fault}`);
  }
  if (failures.length > MAX_SHOWN) console.log(`  and ${failures.length - MAX_SHOWN} more`);
  if (reason !== null) console.log(`rookery doctor will not know of this drill: ${reason}`);
};

const drill = async (checked: Checked): Promise<DrillResult> => {
  const line = progressLine();
  try {
    return await untilInterrupted((signal) =>
      runDrill(checked, signal, {
        onRestore: ({ database, files }) =>
          line.show(`restoring: database ${megabytes(database)}, media ${files} files`),
        onQuestion: (number, all) => line.show(`question ${number} of ${all}`),
      }),
    );
  } finally {
    line.clear();
  }
};

export const drillCommand = async (
  checked: Checked,
  facts: object,
  json: boolean | undefined,
): Promise<void> => {
  const result = await drill(checked);
  const reason = await store(checked, result);
  if (result.failures.length > 0) process.exitCode = 1;
  if (!json) return showResult(result, reason);
  const stored = { is_stored: reason === null, not_stored_because: reason };
  console.log(JSON.stringify({ ...facts, drill: { ...result, ...stored } }, null, 2));
};
