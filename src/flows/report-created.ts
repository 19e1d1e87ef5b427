// Somebody was reported: moderators get a notification and a mail, and the servers that the reporter
// named get a Flag from the server's own actor.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { getAccount } from "../domain/accounts/load.ts";
import { acct } from "../domain/accounts/present.ts";
import { reportManagers } from "../domain/moderation/staff.ts";
import { notify } from "../domain/notifications/notify.ts";
import { flagActivity } from "../domain/reports/activitypub.ts";
import type { ReportCreated, ReportMail } from "../domain/reports/events.ts";
import { inboxesOf } from "../domain/reports/file.ts";
import { loadReports } from "../domain/reports/load.ts";
import type { ReportView } from "../domain/reports/tables.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { mayFederate } from "../domain/statuses/rules.ts";
import { deliver } from "../federation/deliver.ts";

const forward = async (app: App, db: Db, report: ReportView, domains: string[]): Promise<void> => {
  if (domains.length === 0) return;
  const statuses = (await loadAsServer(app, report.status_ids, db)).filter(mayFederate);
  await deliver(app, db, [
    {
      accountId: null,
      activity: flagActivity(report, statuses, app.config.site),
      inboxes: await inboxesOf(app, report.target, statuses, domains),
    },
  ]);
};

export const onReportCreated = async (
  app: App,
  { id, forwardTo }: ReportCreated,
): Promise<void> => {
  const report = (await loadReports(app, [id])).get(id);
  if (!report) return;
  const staff = await reportManagers(app);
  const event = { fromId: report.account_id, type: "admin.report" as const, subjectId: id };
  const mails = staff.map(({ email, username }) => ({
    payload: { id, to: email, name: username },
  }));
  await app.sql.begin(async (tx) => {
    await notify(
      app,
      tx,
      staff.map((person) => ({ accountId: person.account_id, ...event })),
    );
    if (mails.length > 0) await app.jobs.addMany(tx, "report.mail", mails);
    await forward(app, tx, report, forwardTo);
  });
};

const mailText = (app: App, report: ReportView, reporter: string, name: string): string => {
  const posts = report.status_ids.length;
  return `Hello ${name},

${reporter} has reported @${acct(report.target)} on ${app.config.site.localDomain}.

Category: ${report.category}
Posts: ${posts}
Comment: ${report.comment || "(none)"}

The profile: ${report.target.url}
`;
};

/** Job: one mail to one moderator. */
export const mailReport = async (app: App, { id, to, name }: ReportMail): Promise<void> => {
  const report = (await loadReports(app, [id])).get(id);
  if (!report) return;
  const reporter = await getAccount(app, report.account_id);
  // A remote report comes from its server's actor, which does not name the reporter.
  const who = reporter.domain === null ? `@${acct(reporter)}` : `Somebody on ${reporter.domain}`;
  const subject = `New report for ${app.config.site.localDomain} (#${report.id})`;
  await app.mail.send({ to, subject, text: mailText(app, report, who, name) });
};
