// Types of the checks of `rookery doctor` and of what they find.

import { asTyped } from "./uses.ts";
import type { App } from "./uses.ts";

/** `fault`: something does not work; `warning`: something will fail, or could be better; `skipped`: cannot be known. */
export type State = "ok" | "warning" | "fault" | "skipped";

export type Finding = { state: State; text: string; advice?: string };

export type Patient = {
  app: App;
  databaseUrl: string;
  /** Returns all addresses of a name; rejects when there is none. */
  lookup: (name: string) => Promise<string[]>;
};

export type Check = { name: string; run: (patient: Patient) => Promise<Finding | Finding[]> };

export const ok = (text: string): Finding => ({ state: "ok", text });
export const skipped = (text: string): Finding => ({ state: "skipped", text });
export const warning = (text: string, advice: string): Finding => ({
  state: "warning",
  text,
  advice: asTyped(advice),
});
export const fault = (text: string, advice: string): Finding => ({
  state: "fault",
  text,
  advice: asTyped(advice),
});
