// Loads report views by ids, in two queries.

import type { App } from "../../../platform/app.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { selectReports } from "./queries.ts";
import type { ReportView } from "./tables.ts";

/** Returns them by id; deleted ones are absent. */
export const loadReports = async (app: App, ids: string[]): Promise<Map<string, ReportView>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectReports(app.sql, ids);
  const targets = await loadAccounts(
    app,
    rows.map((row) => row.target_account_id),
  );
  return new Map(
    rows.flatMap((row) => {
      const target = targets.get(row.target_account_id);
      return target ? [[row.id, { ...row, target }] as const] : [];
    }),
  );
};
