// Lists, assigns, resolves and corrects reports for moderators. Moderation checks who may do it.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import { MAX_ID } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { requireAsDrawn } from "../../../platform/drawn.ts";
import { invalidField, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
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

/** Reports about an account that one action resolves. */
const MAX_ABOUT = 1000;

/** Returns the ids of a page, newest first. */
export const pageOfReports = async (app: App, filter: ReportFilter, page: Page) =>
  inOrder(page, await selectReportPage(app.sql, filter, page));

/** Throws 404 for an unknown one. */
export const getReport = async (app: App, id: string): Promise<ReportView> =>
  orNotFound((await loadReports(app, [id])).get(id));

/** Returns the unresolved reports about an account. */
export const reportsAbout = async (app: App, accountId: string, db: Db = app.sql) => [
  ...(await selectOpenAbout(db, accountId, MAX_ABOUT)),
];

/**
 * Returns open reports by the account that they are about, last reported first; `below` is the newest of the group
 * before.
 */
export const openReportGroups = async (app: App, below: string | null, limit: number) => [
  ...(await selectOpenGroups(app.sql, below ?? MAX_ID, limit)),
];

type Resolving = { strikeId?: string | null; answered?: string | null };

/**
 * Keeps who resolved reports before. `strikeId` is the decision, if there was one; throws 422 where the report that it
 * answers was resolved meanwhile.
 */
export const resolveReports = async (
  app: App,
  db: Db,
  ids: string[],
  by: string | null,
  { strikeId = null, answered = null }: Resolving = {},
): Promise<void> => {
  const resolution = { by, strikeId, at: app.clock.now() };
  const rows = ids.length > 0 ? await updateResolved(db, ids, resolution) : [];
  if (answered !== null && !rows.some(({ id }) => id === answered))
    throw new Unprocessable(says("moderation.decided_already"));
};

export const reopenReport = async (app: App, db: Db, id: string): Promise<void> => {
  await updateReopened(db, id, app.clock.now());
};

/** Assigns to nobody where it is null. */
export const assignReport = async (
  app: App,
  db: Db,
  id: string,
  to: string | null,
): Promise<void> => {
  await updateAssigned(db, id, to, app.clock.now());
};

export type Correction = { category?: Category | undefined; rule_ids?: string[] | undefined };

/** Allows rules with violations alone; throws 422 with another category. `mark`: that of the form. */
export const correctReport = async (
  app: App,
  db: Db,
  report: ReportView,
  { category = report.category, rule_ids: ruleIds }: Correction,
  mark?: string,
): Promise<void> => {
  const known = ruleIds && (await knownRules(app, [...new Set(ruleIds)]));
  if (known && known.length < new Set(ruleIds).size) {
    throw invalidField("rule_ids", "does not reference valid rules");
  }
  if (known && known.length > 0 && category !== "violation") {
    throw invalidField("rule_ids", "must be blank");
  }
  const kept = category === "violation" ? (known ?? report.rule_ids) : null;
  const change: ReportChange = { category, rule_ids: kept };
  requireAsDrawn({ category: report.category, rule_ids: report.rule_ids }, mark, change);
  await updateReport(db, report.id, change, app.clock.now());
};
