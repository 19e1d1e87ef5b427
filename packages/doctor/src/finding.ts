// Types of the checks of `rookery doctor` and of what they find.

import { saidOf } from "./uses.ts";
import type { App, FindingState, Found, Key, Texts, Values } from "./uses.ts";

/** What was found, and what to do, as keys of the catalogue with values for both. */
export type Finding = Found & { state: FindingState };

export type Patient = {
  app: App;
  databaseUrl: string;
  /** Returns all addresses of a name; rejects when there is none. */
  lookup: (name: string) => Promise<string[]>;
};

/** A check, as programs name it; the catalogue has its name for people. */
export type CheckName =
  Extract<Key, `doctor.check.${string}`> extends `doctor.check.${infer Name}` ? Name : never;

export type Check = { name: CheckName; run: (patient: Patient) => Promise<Finding | Finding[]> };

export const ok = (text: Key, values: Values = {}): Finding => ({ state: "ok", text, values });
export const skipped = (text: Key): Finding => ({ state: "skipped", text, values: {} });
export const warning = (text: Key, advice: Key, values: Values = {}): Finding => ({
  state: "warning",
  text,
  advice,
  values,
});
export const fault = (text: Key, advice: Key, values: Values = {}): Finding => ({
  state: "fault",
  text,
  advice,
  values,
});

const MARKS = { ok: "✓", warning: "!", fault: "✗", skipped: "-" };

/** Returns the lines that a terminal shows; `name` is of the check. */
export const linesOf = (texts: Texts, finding: Finding, name?: string): string => {
  const { text, advice } = saidOf(texts, finding);
  const begin = name === undefined ? "" : `${name}: `;
  return `${MARKS[finding.state]} ${begin}${text}${advice ? `\n    ${advice}` : ""}`;
};
