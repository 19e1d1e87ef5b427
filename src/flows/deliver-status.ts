// What other servers hear of statuses: which activity, and who gets it. Only acts of our own people
// are told; remote ones are told by their own servers.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { voterInboxes } from "../domain/polls/load.ts";
import {
  announceActivity,
  createActivity,
  deleteActivity,
  likeActivity,
  pinActivity,
  undo,
  undoAnnounce,
  updateActivity,
} from "../domain/statuses/activitypub.ts";
import type { Activity } from "../domain/statuses/activitypub.ts";
import type { Favourited, Pinned, RemovedStatus } from "../domain/statuses/events.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import type { StatusView, Visibility } from "../domain/statuses/tables.ts";
import { keptAudiences } from "../domain/timelines/kept-readers.ts";
import { deliverMany, deliverTo, deliverToFollowers, inboxOf } from "../federation/deliver.ts";
import { selectManyFollowerInboxes, selectReachedInboxes } from "../federation/delivery/queries.ts";

const isEverybodys = (visibility: Visibility): boolean =>
  visibility === "public" || visibility === "unlisted";

/** Where those of the accounts who live elsewhere take their mail. */
const inboxesOf = async (app: App, ids: (string | null)[]): Promise<string[]> => {
  const views = await loadAccounts(
    app,
    ids.filter((id) => id !== null),
  );
  const remote = [...views.values()].filter((view) => view.domain !== null && !view.suspended_at);
  return remote.map(inboxOf).filter((inbox) => inbox !== "");
};

type Audience = {
  accountId: string;
  visibility: Visibility;
  /** Servers beside those of the followers. */
  inboxes: string[];
};

/** To the followers' servers, unless it is direct, and to the others named. */
const tell = (app: App, { accountId, visibility, inboxes }: Audience, activity: Activity) =>
  app.sql.begin((tx) =>
    visibility === "direct"
      ? deliverTo(app, tx, { accountId, activity, inboxes })
      : deliverToFollowers(app, tx, { accountId, activity, extraInboxes: inboxes }),
  );

/** The mentioned; the author that is answered too, where everybody may read it. */
const namedInboxes = (
  app: App,
  status: { visibility: Visibility; mentionIds: string[]; inReplyToAccountId: string | null },
): Promise<string[]> =>
  inboxesOf(app, [
    ...status.mentionIds,
    isEverybodys(status.visibility) ? status.inReplyToAccountId : null,
  ]);

const audienceOf = async (app: App, view: StatusView): Promise<Audience> => ({
  accountId: view.account_id,
  visibility: view.visibility,
  inboxes: await namedInboxes(app, {
    visibility: view.visibility,
    mentionIds: view.mentions.map((mention) => mention.id),
    inReplyToAccountId: view.in_reply_to_account_id,
  }),
});

const isLocal = (account: AccountView | undefined): account is AccountView =>
  account !== undefined && account.domain === null;

/** A new status or reblog of one of ours. */
export const deliverStatusCreated = async (app: App, view: StatusView): Promise<void> => {
  if (!isLocal(view.account)) return;
  const { site } = app.config;
  if (!view.reblog) return tell(app, await audienceOf(app, view), createActivity(view, site));
  const inboxes = await inboxesOf(app, [view.reblog.account_id]);
  const { account_id: accountId, visibility } = view;
  await tell(app, { accountId, visibility, inboxes }, announceActivity(view, site));
};

/** By author; nothing is asked where nobody from elsewhere follows one of them. */
const inboxesOfFollowers = async (app: App, views: StatusView[]) => {
  const open = views.filter(({ visibility }) => visibility !== "direct");
  const authorIds = [...new Set(open.map((view) => view.account_id))];
  const audiences = await keptAudiences(app, authorIds);
  const abroad = authorIds.filter((id) => audiences.get(id)!.isReadAbroad);
  return abroad.length > 0
    ? selectManyFollowerInboxes(app.sql, abroad)
    : new Map<string, string[]>();
};

/** Many new posts of ours: one question for all their followers, and nothing where nobody is told. */
export const deliverPosted = async (app: App, views: StatusView[]): Promise<void> => {
  const followers = await inboxesOfFollowers(app, views);
  const told = await Promise.all(
    views.map(async (view) => {
      const { accountId, inboxes } = await audienceOf(app, view);
      const theirs = view.visibility === "direct" ? [] : (followers.get(accountId) ?? []);
      return { view, accountId, inboxes: [...inboxes, ...theirs] };
    }),
  );
  const outgoing = told
    .filter(({ inboxes }) => inboxes.length > 0)
    .map(({ view, ...rest }) => ({ ...rest, activity: createActivity(view, app.config.site) }));
  if (outgoing.length > 0) await app.sql.begin((tx) => deliverMany(app, tx, outgoing));
};

/** `at`: when something about it changed that is no edit. Also to the servers of those who boosted, favourited or answered it: they have it too. */
export const deliverStatusEdited = async (app: App, view: StatusView, at?: Date): Promise<void> => {
  if (!isLocal(view.account) || view.reblog) return;
  const audience = await audienceOf(app, view);
  const reached = isEverybodys(view.visibility) ? await selectReachedInboxes(app.sql, view.id) : [];
  const inboxes = [...audience.inboxes, ...reached];
  await tell(app, { ...audience, inboxes }, updateActivity(view, app.config.site, at));
};

/** The figures of a poll changed: to those who have it, and those who voted. */
export const deliverPollCounted = async (app: App, view: StatusView): Promise<void> => {
  if (!view.poll || !isLocal(view.account)) return;
  const audience = await audienceOf(app, view);
  const inboxes = [...audience.inboxes, ...(await voterInboxes(app.sql, view.poll.id))];
  const activity = updateActivity(view, app.config.site, app.clock.now());
  await tell(app, { ...audience, inboxes }, activity);
};

const undoReblog = async (app: App, account: AccountView, removed: RemovedStatus) => {
  const { accountId, visibility, uri } = removed;
  const [target] = await loadAsServer(app, [removed.reblogOfId!]);
  const inboxes = target ? await inboxesOf(app, [target.account_id]) : [];
  const activity = undoAnnounce(account.uri, {
    uri,
    visibility,
    createdAt: new Date(removed.createdAt),
    targetUri: removed.reblogOfUri ?? "",
    authorUri: target?.account.uri ?? null,
  });
  await tell(app, { accountId, visibility, inboxes }, activity);
};

/** A status of one of ours is gone, or a reblog was taken back. */
export const deliverStatusRemoved = async (app: App, removed: RemovedStatus): Promise<void> => {
  const { accountId, visibility, uri } = removed;
  const account = (await loadAccounts(app, [accountId])).get(accountId);
  if (!isLocal(account) || !removed.local) return;
  if (removed.reblogOfId) return undoReblog(app, account, removed);
  const inboxes = await namedInboxes(app, removed);
  await tell(app, { accountId, visibility, inboxes }, deleteActivity(account.uri, uri));
};

const like = async (app: App, act: Favourited, wrap: (activity: Activity) => Activity) => {
  const [view] = await loadAsServer(app, [act.statusId]);
  const account = (await loadAccounts(app, [act.accountId])).get(act.accountId);
  if (!view || !isLocal(account) || view.account.domain === null) return;
  const made = likeActivity(account.uri, view.id, view.uri);
  const activity = wrap(act.uri === null ? made : { ...made, id: act.uri });
  // The author's own inbox: nothing in a Like says for whom at a shared one it is.
  const inboxes = [view.account.inbox_url || inboxOf(view.account)];
  await app.sql.begin((tx) => deliverTo(app, tx, { accountId: account.id, activity, inboxes }));
};

/** To the author, when one of ours favourites something from elsewhere. */
export const deliverFavourited = (app: App, act: Favourited): Promise<void> =>
  like(app, act, (activity) => activity);

export const deliverUnfavourited = (app: App, act: Favourited): Promise<void> =>
  like(app, act, (activity) => undo(activity));

const pinned = async (app: App, type: "Add" | "Remove", { accountId, statusId }: Pinned) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view || !isLocal(view.account) || !isEverybodys(view.visibility)) return;
  const activity = pinActivity(type, view.account.uri, view.uri);
  await app.sql.begin((tx) => deliverToFollowers(app, tx, { accountId, activity }));
};

export const deliverPinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Add", act);

export const deliverUnpinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Remove", act);
