// Somebody was reported: moderators get a notification, and the servers that the reporter
// named get a Flag from the server's own actor.

import type { App } from "../platform/app.ts";
import type { JobHandler } from "../platform/jobs/table.ts";
import { loadCollections } from "../domain/people/collections/load.ts";
import { collectionUri } from "../domain/people/collections/present.ts";
import { reportManagers } from "../domain/staff/moderation/staff.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { flagActivity } from "../domain/reading/reports/activitypub.ts";
import { inboxesOf } from "../domain/reading/reports/file.ts";
import { loadReports } from "../domain/reading/reports/load.ts";
import type { ReportView } from "../domain/reading/reports/tables.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { mayFederate } from "../domain/posts/statuses/rules.ts";
import { notifyWebhooks } from "../domain/base/webhooks/deliver.ts";
import { deliver } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";

const flagOf = async (
  app: App,
  report: ReportView,
  domains: string[],
): Promise<OutgoingActivity[]> => {
  if (domains.length === 0) return [];
  const statuses = (await loadAsServer(app, report.status_ids)).filter(mayFederate);
  const collections = await loadCollections(app, report.collection_ids, null);
  const uris = collections.map((view) => collectionUri(app.config.site, view));
  return [
    {
      accountId: null,
      activity: flagActivity(report, statuses, uris, app.config.site),
      inboxes: await inboxesOf(app, report.target, statuses, domains),
    },
  ];
};

export const onReportCreated: JobHandler<"report.created"> = async (app, { id, forwardTo }) => {
  const report = (await loadReports(app, [id])).get(id);
  if (!report) return;
  const staff = await reportManagers(app);
  const flag = await flagOf(app, report, forwardTo);
  const event = { fromId: report.account_id, type: "admin.report" as const, subjectId: id };
  await app.sql.begin(async (tx) => {
    await notify(
      app,
      tx,
      staff.map((person) => ({ accountId: person.account_id, ...event })),
    );
    await deliver(app, tx, flag);
    await notifyWebhooks(app, tx, "report.created", [id]);
  });
};
