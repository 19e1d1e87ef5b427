// Whom the acts around a status are told. Every step may be run again without telling twice.

import type { App } from "../platform/app.ts";
import {
  mentionedHere,
  notifyingFollowers,
  rebloggersHere,
} from "../domain/notifications/audience.ts";
import { notifyAll, retract } from "../domain/notifications/notify.ts";
import type { Happening } from "../domain/notifications/tables.ts";
import { loadStatuses } from "../domain/statuses/load.ts";
import type { Favourited, RemovedStatus } from "../domain/statuses/events.ts";
import type { StatusView } from "../domain/statuses/tables.ts";

const tell = (
  app: App,
  accountIds: string[],
  happening: Happening,
  replace: Date | null = null,
): Promise<void> =>
  accountIds.length === 0
    ? Promise.resolve()
    : app.sql.begin((tx) => notifyAll(app, tx, accountIds, happening, replace));

const notifyMentioned = (app: App, view: StatusView): Promise<void> =>
  tell(app, mentionedHere(view), { fromId: view.account_id, type: "mention", statusId: view.id });

/** A new status: those named in it, and followers who asked for every post. A reblog: its author. */
export const notifyStatusCreated = async (app: App, view: StatusView): Promise<void> => {
  const fromId = view.account_id;
  if (view.reblog) {
    const happening: Happening = { fromId, type: "reblog", statusId: view.reblog.id };
    return tell(app, [view.reblog.account_id], happening);
  }
  await notifyMentioned(app, view);
  const followers = await notifyingFollowers(app, view);
  await tell(app, followers, { fromId, type: "status", statusId: view.id });
};

/** An edit: those who reblogged it (a later edit replaces the earlier one's), and who is named now. */
export const notifyStatusEdited = async (app: App, view: StatusView): Promise<void> => {
  await notifyMentioned(app, view);
  const happening: Happening = { fromId: view.account_id, type: "update", statusId: view.id };
  await tell(app, await rebloggersHere(app, view), happening, view.edited_at);
};

/** The author of a favourited status. */
export const notifyFavourited = async (app: App, act: Favourited): Promise<void> => {
  const [view] = await loadStatuses(app, [act.statusId], null);
  if (!view) return;
  const happening: Happening = { fromId: act.accountId, type: "favourite", statusId: view.id };
  await tell(app, [view.account_id], happening);
};

export const retractFavourited = (app: App, act: Favourited): Promise<void> =>
  retract(app.sql, { fromId: act.accountId, type: "favourite", statusId: act.statusId });

/** A reblog that is gone; of other statuses the notifications went with them. */
export const retractReblog = async (app: App, removed: RemovedStatus): Promise<void> => {
  if (removed.reblogOfId === null) return;
  await retract(app.sql, {
    fromId: removed.accountId,
    type: "reblog",
    statusId: removed.reblogOfId,
  });
};
