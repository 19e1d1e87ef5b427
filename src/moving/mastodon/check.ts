// Whether an import is whole: rows of every step are taken from there at random, made once more, and compared with what
// is stored here, column by column.

import type { App } from "../../platform/app.ts";
import { fileMover } from "./files.ts";
import type { From } from "./move-in.ts";
import { selectDifferent, selectTarget } from "./queries.ts";
import { isThere, selectOldColumns, selectSample } from "./queries-source.ts";
import { STEPS } from "./steps.ts";

export type Check = { faults: string[]; compared: number };

const SAMPLE = 1000;

/** Sealed anew each time, or made by a later step. */
const UNCOMPARED: Record<string, string[]> = {
  accounts: ["note_html", "fields"],
  statuses: ["in_reply_to_id"],
  totp_secrets: ["sealed"],
  push_subscriptions: ["access_token"],
  account_deletions: ["due_at"],
  cleanup_policies: ["due_at"],
  notification_requests: ["count", "created_at", "updated_at"],
};

/** `rows`: so many of each step at most. */
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
  const faults: string[] = [];
  let compared = 0;
  const steps = STEPS.filter((step) => !step.takesNothing && isThere(columns, step));
  for (const step of steps) {
    const sample = await selectSample(old, step, columns, rows);
    const { into = {} } = sample.length > 0 ? await step.convert(sample, context) : {};
    for (const [table, expected] of Object.entries(into)) {
      const target = await selectTarget(app.sql, table);
      faults.push(...(await selectDifferent(app.sql, target, expected, UNCOMPARED[table] ?? [])));
      compared += expected.length;
    }
  }
  return { faults, compared };
};
