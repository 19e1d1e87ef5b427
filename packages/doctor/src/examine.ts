// Runs all checks of `rookery doctor` at the same time, and waits for none of them for long.

import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf, sqlState } from "./uses.ts";
import { fault, skipped } from "./finding.ts";
import type { FindingState } from "./uses.ts";
import type { Check, CheckName, Finding, Patient } from "./finding.ts";
import { MACHINE } from "./machine.ts";
import { NETWORK } from "./network.ts";
import { VERSIONS } from "./versions.ts";

const CHECKS: Check[] = [...MACHINE, ...NETWORK, ...VERSIONS];

const UNDEFINED_TABLE = "42P01";

const LIMIT_MS = 30_000;

export type Result = Finding & { check: CheckName };

const runOne = async (
  { name, run }: Check,
  patient: Patient,
  limitMs: number,
): Promise<Result[]> => {
  const late = sleep(limitMs, undefined, { ref: false }).then(() =>
    fault("doctor.slow", "doctor.advice.slow"),
  );
  try {
    const finding = await Promise.race([run(patient), late]);
    return [finding].flat().map((finding) => ({ check: name, ...finding }));
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) {
      return [{ check: name, ...skipped("doctor.unmigrated") }];
    }
    const reason = reasonOf(error);
    return [{ check: name, ...fault("doctor.failed", "doctor.advice.log", { reason }) }];
  }
};

export const CHECK_NAMES = CHECKS.map(({ name }) => name);

export const isCheck = (name: string): name is CheckName =>
  CHECK_NAMES.some((known) => known === name);

/** `limitMs` is the time that a check may take; `only` names a single one. */
export const examine = async (
  patient: Patient,
  limitMs = LIMIT_MS,
  only?: CheckName,
): Promise<Result[]> => {
  const checks = CHECKS.filter(({ name }) => only === undefined || name === only);
  return (await Promise.all(checks.map((check) => runOne(check, patient, limitMs)))).flat();
};

const has = (results: Result[], state: FindingState) =>
  results.some((result) => result.state === state);

/** Returns 0 if all is well, 1 if something does not work, 2 if something could be better. */
export const exitCodeOf = (results: Result[]): number =>
  has(results, "fault") ? 1 : has(results, "warning") ? 2 : 0;
