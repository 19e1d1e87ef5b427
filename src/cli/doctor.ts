// rookery doctor: what is wrong with this server, and what to do about it.

import { lookup } from "node:dns/promises";
import { examine, exitCodeOf } from "../doctor/examine.ts";
import type { Result } from "../doctor/examine.ts";
import { withApp } from "./session.ts";

/** As this machine looks names up. */
export const lookUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

const MARKS = { ok: "ok     ", warning: "warning", fault: "FAULT  ", skipped: "-      " };

const lineOf = ({ check, state, text, advice }: Result): string =>
  `${MARKS[state]}  ${check.padEnd(13)}  ${text}${advice ? `\n${" ".repeat(24)}→ ${advice}` : ""}`;

export const doctorCommand = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(
    async (app, databaseUrl) => {
      const results = await examine({ app, databaseUrl, lookup: lookUp });
      process.exitCode = exitCodeOf(results);
      if (json) return console.log(JSON.stringify(results, null, 2));
      for (const result of results) console.log(lineOf(result));
    },
    { migrated: false, started: false },
  );
