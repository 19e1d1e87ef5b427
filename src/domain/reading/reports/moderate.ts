// Reports in the hands of moderators: lists, assigning, resolving, correcting. Who may do it is checked by moderation.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import { MAX_ID } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { invalidFields, NotFound } from "../../../platform/errors.ts";
import { knownRules } from "../../base/rules/rules.ts";
import { loadReports } from "./load.ts";
import {
  selectOpenAbout,
  selectOpenGroups,
  selectReportPage,
  updateAssigned,
  updateReopened,
  updateReport,
  updateResolved,
} from "./queries.ts";
import type { ReportChange, ReportFilter, ReportGroup } from "./queries.ts";
import type { Category, ReportView } from "./tables.ts";

export type { ReportFilter, ReportGroup };

/** An action resolves so many reports about an account at most. */
const MAX_ABOUT = 1000;

/** The ids of a page, newest first. */
export const pageOfReports = async (
  app: App,
  filter: ReportFilter,
  page: Page,
): Promise<string[]> => inOrder(page, await selectReportPage(app.sql, filter, page));

/** 404 for an unknown one. */
export const getReport = async (app: App, id: string): Promise<ReportView> => {
  const view = (await loadReports(app, [id])).get(id);
  if (!view) throw new NotFound();
  return view;
};

/** The unresolved reports about an account. */
export const reportsAbout = async (app: App, accountId: string, db: Db = app.sql) => [
  ...(await selectOpenAbout(db, accountId, MAX_ABOUT)),
];

/** Open reports by the account that they are about, last reported first; `below`: the newest of the group before. */
export const openReportGroups = async (
  app: App,
  below: string | null,
  limit: number,
): Promise<ReportGroup[]> => [...(await selectOpenGroups(app.sql, below ?? MAX_ID, limit))];

/** Those that are resolved already keep who did it. `strikeId`: what was decided, where something was. */
export const resolveReports = async (
  app: App,
  db: Db,
  ids: string[],
  by: string | null,
  strikeId: string | null = null,
): Promise<void> => {
  if (ids.length > 0) await updateResolved(db, ids, { by, strikeId, at: app.clock.now() });
};

export const reopenReport = async (app: App, db: Db, id: string): Promise<void> => {
  await updateReopened(db, id, app.clock.now());
};

/** null: to nobody. */
export const assignReport = async (
  app: App,
  db: Db,
  id: string,
  to: string | null,
): Promise<void> => {
  await updateAssigned(db, id, to, app.clock.now());
};

export type Correction = { category?: Category | undefined; rule_ids?: string[] | undefined };

/** Rules belong to violations alone: 422 with another category. */
export const correctReport = async (
  app: App,
  db: Db,
  report: ReportView,
  { category = report.category, rule_ids: ruleIds }: Correction,
): Promise<void> => {
  const known = ruleIds && (await knownRules(app, [...new Set(ruleIds)]));
  if (known && known.length < new Set(ruleIds).size) {
    const description = "does not reference valid rules";
    throw invalidFields([{ field: "rule_ids", code: "ERR_INVALID", description }]);
  }
  if (known && known.length > 0 && category !== "violation") {
    throw invalidFields([{ field: "rule_ids", code: "ERR_INVALID", description: "must be blank" }]);
  }
  const kept = category === "violation" ? (known ?? report.rule_ids) : null;
  const change: ReportChange = { category, rule_ids: kept };
  await updateReport(db, report.id, change, app.clock.now());
};
