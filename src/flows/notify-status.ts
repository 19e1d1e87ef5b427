// Whom the acts around a status are told. Every step may be run again without telling twice.

import type { App } from "../platform/app.ts";
import {
  mentionedHere,
  notifyingFollowers,
  rebloggersHere,
} from "../domain/notifications/audience.ts";
import { followersToTell, notifyMany, retractMany } from "../domain/notifications/notify-many.ts";
import type { ToTell } from "../domain/notifications/notify-many.ts";
import { notifyAll, retract } from "../domain/notifications/notify.ts";
import type { Happening } from "../domain/notifications/tables.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { quotingHere } from "../domain/statuses/quotes/load.ts";
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

/** Everybody here who is named in one of them. */
export const mentions = (views: StatusView[]): ToTell[] =>
  views
    .filter((view) => !view.reblog)
    .flatMap((view) =>
      mentionedHere(view).map((accountId) => ({
        accountId,
        fromId: view.account_id,
        type: "mention" as const,
        statusId: view.id,
      })),
    );

/** Everybody here whose post one of them quotes, where that is shown. */
export const quotes = (views: StatusView[]): ToTell[] =>
  views.flatMap(({ id, account_id: fromId, quote }) =>
    quote?.state === "accepted" && quote.quoted_account_id && quote.quoted_account_id !== fromId
      ? [{ accountId: quote.quoted_account_id, fromId, type: "quote" as const, statusId: id }]
      : [],
  );

/** Many new posts: the same people as for one, asked and written together. */
export const notifyPosted = async (app: App, views: StatusView[]): Promise<void> =>
  notifyMany(app, [...mentions(views), ...quotes(views), ...(await followersToTell(app, views))]);

/** A new status: those named in it, and followers who asked for every post. A reblog: its author. */
export const notifyStatusCreated = async (app: App, view: StatusView): Promise<void> => {
  const fromId = view.account_id;
  if (view.reblog) {
    const happening: Happening = { fromId, type: "reblog", statusId: view.reblog.id };
    return tell(app, [view.reblog.account_id], happening);
  }
  await notifyMentioned(app, view);
  await notifyMany(app, quotes([view]));
  const followers = await notifyingFollowers(app, view);
  await tell(app, followers, { fromId, type: "status", statusId: view.id });
};

/** An edit: those who reblogged it (a later edit replaces the earlier one's), and who is named now. */
export const notifyStatusEdited = async (app: App, view: StatusView): Promise<void> => {
  await notifyMentioned(app, view);
  const happening: Happening = { fromId: view.account_id, type: "update", statusId: view.id };
  await tell(app, await rebloggersHere(app, view), happening, view.edited_at);
  await notifyQuoting(app, view);
};

/** Those here who quote it hear of it with their own post. A later edit replaces the earlier one's. */
const notifyQuoting = async (app: App, view: StatusView): Promise<void> => {
  const list = (await quotingHere(app.sql, view.id)).map((one) => ({
    ...one,
    fromId: view.account_id,
    type: "quoted_update" as const,
  }));
  await retractMany(app, list);
  await notifyMany(app, list);
};

/** The author of a favourited status. */
export const notifyFavourited = async (app: App, act: Favourited): Promise<void> => {
  const [view] = await loadAsServer(app, [act.statusId]);
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
