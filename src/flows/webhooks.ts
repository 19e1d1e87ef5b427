// Sends events to webhooks, each with the entity as a moderator's app would get it.
// https://docs.joinmastodon.org/admin/webhooks/

import type { App } from "../platform/app.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { NOBODY } from "../platform/viewer.ts";
import { loadAdminAccounts, loadAdminReports } from "../domain/staff/moderation/load.ts";
import { adminAccountEntity, adminReportEntity } from "../domain/staff/moderation/present.ts";
import { currentRules } from "../domain/base/rules/rules.ts";
import { loadVisible } from "../domain/posts/statuses/load.ts";
import { statusEntity } from "../domain/posts/statuses/present.ts";
import type { StatusView } from "../domain/posts/statuses/tables.ts";
import { openTo } from "../domain/posts/statuses/visibility.ts";
import { enqueueDeliveries, notifyWebhooks } from "../domain/base/webhooks/deliver.ts";

type Event = JobPayloads["webhook.event"];

const readAccount = async (app: App, id: string) => {
  const view = (await loadAdminAccounts(app, [id])).get(id);
  return view && adminAccountEntity(view, app.config.site);
};

const readReport = async (app: App, id: string) => {
  // Account 0 is nobody, so the view contains nobody's marks.
  const [view] = await loadAdminReports(app, [id], "0");
  return view && adminReportEntity(view, await currentRules(app), app.config.site);
};

const readStatus = async (app: App, id: string) => {
  const [view] = await loadVisible(app, [id], NOBODY);
  return view && statusEntity(view, app.config.site);
};

const readObject = (app: App, { event, id }: Event) => {
  if (event.startsWith("account.")) return readAccount(app, id);
  return event.startsWith("report.") ? readReport(app, id) : readStatus(app, id);
};

/** Sends an event; nothing is sent about what was deleted meanwhile. */
export const onWebhookEvent = async (app: App, happened: Event): Promise<void> => {
  const object = await readObject(app, happened);
  if (!object) return;
  const { event, at } = happened;
  await enqueueDeliveries(app, event, JSON.stringify({ event, created_at: at, object }));
};

/** Reports public posts of local people. */
export const notifyOfStatuses = (
  app: App,
  event: "status.created" | "status.updated",
  views: StatusView[],
): Promise<void> => {
  const open = views.filter((view) => view.local && !view.reblog_of_id && openTo("world", view));
  return notifyWebhooks(
    app,
    app.sql,
    event,
    open.map(({ id }) => id),
  );
};
