// The command `rookery doctor` says what is wrong with this server, and what to do about it.

import { lookup } from "node:dns/promises";
import { sqlState, storeFindings, withApp } from "./uses.ts";
import type { App } from "./uses.ts";
import { examine, exitCodeOf } from "./examine.ts";
import type { Result } from "./examine.ts";

/** Resolves a name as this machine does. */
export const lookUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

const MARKS = { ok: "ok     ", warning: "warning", fault: "FAULT  ", skipped: "-      " };

const lineOf = ({ check, state, text, advice }: Result): string =>
  `${MARKS[state]}  ${check.padEnd(13)}  ${text}${advice ? `\n${" ".repeat(24)}→ ${advice}` : ""}`;

/** Stores what was found; before the migrations there is no table for it. */
const store = async (app: App, results: Result[]): Promise<void> => {
  const findings = results.map(({ check, state, text, advice }) => ({
    check_name: check,
    state,
    text,
    advice: advice ?? null,
  }));
  await storeFindings(app, findings).catch((error: unknown) => {
    if (sqlState(error) !== UNDEFINED_TABLE) throw error;
  });
};

const UNDEFINED_TABLE = "42P01";

type DoctorOptions = { json?: boolean; minutes?: number };

/** Runs the checks, each for at most `minutes`. The results are shown to the staff, too. */
export const doctorCommand = ({ json, minutes }: DoctorOptions): Promise<void> =>
  withApp(
    async (app, databaseUrl) => {
      const limitMs = minutes === undefined ? undefined : minutes * 60_000;
      const results = await examine({ app, databaseUrl, lookup: lookUp }, limitMs);
      await store(app, results);
      process.exitCode = exitCodeOf(results);
      if (json) return console.log(JSON.stringify(results, null, 2));
      for (const result of results) console.log(lineOf(result));
    },
    { migrated: false, started: false },
  );
