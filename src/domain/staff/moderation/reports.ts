// Implements acts of moderators on reports and on the reported posts, each with its entry in the audit log.

import type { AuditAction } from "../../base/audit/actions.ts";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { audit } from "../../base/audit/audit.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import {
  assignReport,
  correctReport,
  getReport,
  reopenReport,
  reportsAbout,
  resolveReports,
} from "../../reading/reports/moderate.ts";
import type { Correction } from "../../reading/reports/moderate.ts";
import type { ReportView } from "../../reading/reports/tables.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { markSensitive } from "../../posts/statuses/edit.ts";
import { removeForStaff } from "../../posts/statuses/remove.ts";
import type { StatusView } from "../../posts/statuses/tables.ts";
import type { Evidence } from "../../reading/strikes/tables.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { acct } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { notifyWebhooks } from "../../base/webhooks/deliver.ts";
import { accountTarget, actOnAccount, strike } from "./accounts.ts";
import type { ActionType } from "./accounts.ts";
import { requireMay } from "../../base/roles/acts.ts";
import { recorded } from "../../base/audit/recorded.ts";

const reportTarget = (view: ReportView) => ({
  type: "report",
  id: view.id,
  label: `@${acct(view.target)}`,
});

const handling =
  (
    action: AuditAction,
    work: (app: App, tx: Tx, view: ReportView, actor: Actor) => Promise<void>,
  ) =>
  async (app: App, actor: Actor, id: string): Promise<void> => {
    requireMay(actor, "reports.write");
    const view = await getReport(app, id);
    await app.sql.begin(async (tx) => {
      await work(app, tx, view, actor);
      await notifyWebhooks(app, tx, "report.updated", [id]);
      await audit(app, tx, actor, { action, target: reportTarget(view) });
    });
  };

export const assignToSelf = handling("report.assign", (app, tx, { id }, { accountId }) =>
  assignReport(app, tx, id, accountId),
);
export const unassign = handling("report.unassign", (app, tx, { id }) =>
  assignReport(app, tx, id, null),
);
export const resolve = handling("report.resolve", (app, tx, { id }, { accountId }) =>
  resolveReports(app, tx, [id], accountId),
);
export const reopen = handling("report.reopen", (app, tx, { id }) => reopenReport(app, tx, id));

/** `how` is the correction, and the mark of the form (platform/drawn.ts). */
export const correct = (app: App, actor: Actor, id: string, ...how: [Correction, string?]) =>
  handling("report.update", (_app, tx, view) => correctReport(app, tx, view, ...how))(
    app,
    actor,
    id,
  );

/** Returns what is kept of a deleted post, for moderators. */
const evidenceOf = (view: StatusView): Evidence => ({
  id: view.id,
  uri: view.uri,
  content: `${view.spoiler_text} ${view.content}`.trim().slice(0, 10_000),
  created_at: isoTime(view.created_at),
});

export type PostAction = "delete_statuses" | "mark_statuses_as_sensitive";

type PostDecision = {
  target: AccountView;
  posts: StatusView[];
  action: PostAction;
  text: string;
  mail: boolean;
  reportId: string | null;
};

/** Deletes the posts, or hides their media, and records the strike; returns its id. */
const judge = async (app: App, tx: Tx, actor: Actor, decision: PostDecision): Promise<string> => {
  const { target, posts, action, text, mail, reportId } = decision;
  const isDeletion = action === "delete_statuses";
  const ids = posts.map((post) => post.id);
  if (isDeletion) await removeForStaff(app, tx, ids);
  // Posts that were sensitive before do not belong to this decision, should it be undone.
  const statusIds = isDeletion ? ids : await markSensitive(tx, ids);
  const evidence = isDeletion ? posts.map(evidenceOf) : [];
  return strike(app, tx, actor, target, { action, text, mail, evidence, statusIds, reportId });
};

/** Posts of one act. */
const MAX_POSTS = 100;

/** Acts on posts of an account that nobody reported; throws 422 where none of them is the account's. */
export const actOnPostsOf = async (
  app: App,
  actor: Actor,
  accountId: string,
  ids: string[],
  { action, text, mail }: { action: PostAction; text: string; mail: boolean },
): Promise<void> => {
  const target = await getAccount(app, accountId);
  requireMay(actor, "accounts.warn", target);
  const loaded = await loadAsServer(app, ids.slice(0, MAX_POSTS));
  const posts = loaded.filter((post) => post.account_id === accountId);
  if (posts.length === 0) throw new Unprocessable(says("moderation.posts.choose_some"));
  await app.sql.begin(async (tx) => {
    await judge(app, tx, actor, { target, posts, action, text, mail, reportId: null });
    const details = { status_ids: posts.map((post) => post.id) };
    const entry = { target: accountTarget(target), details };
    await audit(app, tx, actor, { action: `account.${action}`, ...entry });
  });
};

type ReportedPosts = { action: PostAction; text: string; mail: boolean; answersAll?: boolean };

/** Returns the ids of one report, or of all open ones about its account, and their posts that still exist. */
const reportedBy = async (app: App, report: ReportView, answersAll: boolean) => {
  const reports = answersAll ? await reportsAbout(app, report.target_account_id) : [report];
  const named = [...new Set(reports.flatMap((each) => each.status_ids))];
  if (named.length > MAX_POSTS) {
    throw new Unprocessable(says("moderation.reports.too_many_posts", { count: MAX_POSTS }));
  }
  return { ids: reports.map(({ id }) => id), posts: await loadAsServer(app, named) };
};

/** Deletes the reported posts, or hides their media; records a strike for the author, and resolves the reports. */
export const actOnReportedPosts = async (
  app: App,
  actor: Actor,
  id: string,
  { action, text, mail, answersAll = false }: ReportedPosts,
): Promise<void> => {
  requireMay(actor, "reports.write");
  const report = await getReport(app, id);
  const { target } = report;
  requireMay(actor, "accounts.warn", target);
  const { ids, posts } = await reportedBy(app, report, answersAll);
  if (posts.length === 0) throw new Unprocessable(says("moderation.reports.no_posts"));
  await app.sql.begin(async (tx) => {
    const decision = { target, posts, action, text, mail, reportId: id };
    const strikeId = await judge(app, tx, actor, decision);
    const answered = answersAll ? id : null;
    await resolveReports(app, tx, ids, actor.accountId, { strikeId, answered });
    await notifyWebhooks(app, tx, "report.updated", ids);
    const details = { status_ids: posts.map((post) => post.id), resolved: ids };
    await audit(app, tx, actor, {
      action: `report.${action}`,
      target: reportTarget(report),
      details,
    });
  });
};

export type Decision = { name: "resolve" | ActionType | PostAction; text: string; mail: boolean };

/**
 * Answers all open reports about an account with one decision; `id` is that of one of them. Throws 422 where that was
 * decided meanwhile.
 */
export const decideReports = async (
  app: App,
  actor: Actor,
  id: string,
  { name, text, mail }: Decision,
): Promise<void> => {
  requireMay(actor, "reports.write");
  const report = await getReport(app, id);
  if (report.action_taken_at !== null) throw new Unprocessable(says("moderation.decided_already"));
  if (name === "resolve") return resolveAll(app, actor, report);
  const notice = { text, mail, answersAll: true };
  if (name === "delete_statuses" || name === "mark_statuses_as_sensitive") {
    return actOnReportedPosts(app, actor, id, { action: name, ...notice });
  }
  const { target_account_id: targetId } = report;
  return actOnAccount(app, actor, targetId, { type: name, reportId: id, ...notice });
};

/** Resolves the reports without any act on the account. */
const resolveAll = (app: App, actor: Actor, report: ReportView): Promise<void> =>
  recorded(app, actor, "reports.write", async (tx) => {
    const ids = (await reportsAbout(app, report.target_account_id, tx)).map(({ id }) => id);
    await resolveReports(app, tx, ids, actor.accountId, { answered: report.id });
    await notifyWebhooks(app, tx, "report.updated", ids);
    const details = { resolved: ids };
    return { entry: { action: "report.resolve", target: reportTarget(report), details } };
  });
