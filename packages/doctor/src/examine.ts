// Runs all checks of `rookery doctor` at the same time, and waits for none of them for long.

import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf, sqlState } from "./uses.ts";
import { fault, skipped } from "./finding.ts";
import type { Check, Finding, Patient, State } from "./finding.ts";
import { MACHINE } from "./machine.ts";
import { NETWORK } from "./network.ts";

const CHECKS: Check[] = [...MACHINE, ...NETWORK];

const UNDEFINED_TABLE = "42P01";

const LIMIT_MS = 30_000;

export type Result = Finding & { check: string };

const runOne = async (
  { name, run }: Check,
  patient: Patient,
  limitMs: number,
): Promise<Result[]> => {
  const late = sleep(limitMs, undefined, { ref: false }).then(() =>
    fault("The check takes too long.", "Look at the network and the load of this machine."),
  );
  try {
    const finding = await Promise.race([run(patient), late]);
    return [finding].flat().map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) {
      return [{ check: name, ...skipped("Cannot be known before the migrations are applied.") }];
    }
    const text = `The check failed: ${reasonOf(error)}.`;
    return [{ check: name, ...fault(text, "Look at the log of the server.") }];
  }
};

/** `limitMs` is the time that a check may take. */
export const examine = async (patient: Patient, limitMs = LIMIT_MS): Promise<Result[]> =>
  (await Promise.all(CHECKS.map((check) => runOne(check, patient, limitMs)))).flat();

const has = (results: Result[], state: State) => results.some((result) => result.state === state);

/** Returns 0 if all is well, 1 if something does not work, 2 if something could be better. */
export const exitCodeOf = (results: Result[]): number =>
  has(results, "fault") ? 1 : has(results, "warning") ? 2 : 0;
