// Somebody was reported: moderators get a notification, and the servers that the reporter
// named get a Flag from the server's own actor.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { loadCollections } from "../domain/collections/load.ts";
import { collectionUri } from "../domain/collections/present.ts";
import { reportManagers } from "../domain/moderation/staff.ts";
import { notify } from "../domain/notifications/notify.ts";
import { flagActivity } from "../domain/reports/activitypub.ts";
import type { ReportCreated } from "../domain/reports/events.ts";
import { inboxesOf } from "../domain/reports/file.ts";
import { loadReports } from "../domain/reports/load.ts";
import type { ReportView } from "../domain/reports/tables.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { mayFederate } from "../domain/statuses/rules.ts";
import { notifyWebhooks } from "../domain/webhooks/deliver.ts";
import { deliver } from "../federation/deliver.ts";

const forward = async (app: App, db: Db, report: ReportView, domains: string[]): Promise<void> => {
  if (domains.length === 0) return;
  const statuses = (await loadAsServer(app, report.status_ids, db)).filter(mayFederate);
  const collections = await loadCollections(app, report.collection_ids, null);
  const uris = collections.map((view) => collectionUri(app.config.site, view));
  await deliver(app, db, [
    {
      accountId: null,
      activity: flagActivity(report, statuses, uris, app.config.site),
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
  await app.sql.begin(async (tx) => {
    await notify(
      app,
      tx,
      staff.map((person) => ({ accountId: person.account_id, ...event })),
    );
    await forward(app, tx, report, forwardTo);
    await notifyWebhooks(app, tx, "report.created", [id]);
  });
};
