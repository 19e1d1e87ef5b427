// A batch of activities from elsewhere was done: the same consequences as for one act of each kind
// (status-created.ts, status-removed.ts, status-favourited.ts), asked and written together. Nothing is
// told to other servers: those acts are their own servers' to tell.

import type { App } from "../platform/app.ts";
import type { JobRun } from "../platform/jobs/index.ts";
import { recordConversations } from "../domain/conversations/record.ts";
import { followersToTell, notifyMany, retractMany } from "../domain/notifications/notify-many.ts";
import type { ToTell } from "../domain/notifications/notify-many.ts";
import type { Applied } from "../domain/statuses/apply-many.ts";
import { indexStatuses } from "../domain/search/index-statuses.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import type { StatusView } from "../domain/statuses/tables.ts";
import { pruneTagDays } from "../domain/tags/use.ts";
import { fanOut, withdraw } from "../domain/timelines/fanout.ts";
import "../federation/events.ts";
import { mentions } from "./notify-status.ts";

const reblogs = (views: StatusView[]): ToTell[] =>
  views.flatMap(({ reblog, account_id: fromId }) =>
    reblog
      ? [{ accountId: reblog.account_id, fromId, type: "reblog" as const, statusId: reblog.id }]
      : [],
  );

const favourites = async (app: App, { favourited }: Applied): Promise<ToTell[]> => {
  const ids = [...new Set(favourited.map((act) => act.statusId))];
  const views = new Map((await loadAsServer(app, ids)).map((view) => [view.id, view]));
  return favourited.flatMap(({ accountId: fromId, statusId }) => {
    const view = views.get(statusId);
    return view
      ? [{ accountId: view.account_id, fromId, type: "favourite" as const, statusId }]
      : [];
  });
};

const retract = ({ unfavourited, removed }: Applied) => [
  ...unfavourited.map(({ accountId: fromId, statusId }) => ({
    fromId,
    statusId,
    type: "favourite" as const,
  })),
  ...removed.flatMap(({ accountId: fromId, reblogOfId: statusId }) =>
    statusId === null ? [] : [{ fromId, type: "reblog" as const, statusId }],
  ),
];

const together = async (app: App, applied: Applied): Promise<void> => {
  const views = await loadAsServer(app, applied.created);
  await fanOut(app, views);
  await recordConversations(app, views);
  await indexStatuses(app, views);
  await withdraw(app, applied.removed);
  await retractMany(app, retract(applied));
  await notifyMany(app, [
    ...mentions(views),
    ...reblogs(views),
    ...(await followersToTell(app, views)),
    ...(await favourites(app, applied)),
  ]);
};

/** One that fails does not hold up the others: each gets a job of its own. */
const apart = (app: App, applied: Applied): Promise<void> =>
  app.sql.begin(async (tx) => {
    const jobs = <T>(list: T[]) => list.map((payload) => ({ payload }));
    const created = applied.created.map((id) => ({ id }));
    await app.jobs.addMany(tx, "status.created", jobs(created));
    await app.jobs.addMany(tx, "status.removed", jobs(applied.removed));
    await app.jobs.addMany(tx, "status.favourited", jobs(applied.favourited));
    await app.jobs.addMany(tx, "status.unfavourited", jobs(applied.unfavourited));
  });

/** The handler of `inbox.applied`. */
export const onInboxApplied = async (app: App, applied: Applied, job: JobRun): Promise<void> => {
  if (job.attempts > 1) return apart(app, applied);
  await together(app, applied);
  await pruneTagDays(app);
};
