// The command `rookery doctor` says what is wrong with this server, and what to do about it.

import { lookup } from "node:dns/promises";
import {
  ConfigError,
  readVariables,
  saidOf,
  sqlState,
  storeFindings,
  terminalLocale,
  textsIn,
  withApp,
} from "./uses.ts";
import type { App } from "./uses.ts";
import { CHECK_NAMES, examine, exitCodeOf, isCheck } from "./examine.ts";
import { linesOf } from "./finding.ts";
import type { Result } from "./examine.ts";

/** Resolves a name as this machine does. */
export const lookUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Programs get a code for each finding, and its sentences in English. */
const forPrograms = ({ check, state, ...said }: Result) => ({
  check,
  state,
  code: said.text,
  ...saidOf(textsIn("en"), said),
});

/** Stores what was found, of all checks or of `only` one; before the migrations there is no table for it. */
const store = async (app: App, results: Result[], only?: string): Promise<void> => {
  const findings = results.map(({ check, state, ...said }) => {
    const { text, advice = null } = saidOf(textsIn("en"), said);
    return { check_name: check, state, text, advice, said };
  });
  await storeFindings(app, findings, only).catch((error: unknown) => {
    if (sqlState(error) !== UNDEFINED_TABLE) throw error;
  });
};

const UNDEFINED_TABLE = "42P01";

type DoctorOptions = { json?: boolean; minutes?: number; only?: string };

/** Runs the checks, each for at most `minutes`. The results are shown to the staff, too. */
export const doctorCommand = ({ json, minutes, only }: DoctorOptions): Promise<void> =>
  withApp(
    async (app, databaseUrl) => {
      if (only !== undefined && !isCheck(only))
        throw new ConfigError(`There is no check ${only}: there are ${CHECK_NAMES.join(", ")}.`);
      const limitMs = minutes === undefined ? undefined : minutes * 60_000;
      const results = await examine({ app, databaseUrl, lookup: lookUp }, limitMs, only);
      await store(app, results, only);
      process.exitCode = exitCodeOf(results);
      if (json) return console.log(JSON.stringify(results.map(forPrograms), null, 2));
      const texts = textsIn(terminalLocale(readVariables()));
      for (const result of results)
        console.log(linesOf(texts, result, texts.t(`doctor.check.${result.check}`)));
    },
    { migrated: false, started: false },
  );
