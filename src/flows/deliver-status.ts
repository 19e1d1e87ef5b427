// What other servers receive of statuses: which activity, and to which inboxes. Only acts of local
// accounts are delivered; those of remote ones are delivered by their own servers.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { voterInboxes } from "../domain/polls/load.ts";
import {
  askFor,
  deleteActivity,
  likeActivity,
  pinActivity,
  statusActivity,
  undo,
  undoAnnounce,
  updateActivity,
} from "../domain/statuses/activitypub.ts";
import type { Activity } from "../domain/statuses/activitypub.ts";
import type { Favourited, Pinned, RemovedStatus } from "../domain/statuses/events.ts";
import { isRestricted } from "../domain/statuses/interactions.ts";
import { loadAsServer } from "../domain/statuses/load.ts";
import { mayHaveFederated, mayFederate } from "../domain/statuses/rules.ts";
import type { FederatedStatus, StatusView } from "../domain/statuses/tables.ts";
import { announceToRelays, relayInboxes } from "../federation/relays.ts";
import {
  listedPublicly,
  openToEverybody,
  openToFollowers,
  visibilityFacts,
} from "../domain/statuses/visibility.ts";
import type { VisibilityFacts } from "../domain/statuses/visibility.ts";
import { cachedAudiences } from "../domain/timelines/cached-readers.ts";
import { deliver, inboxOf, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";
import { selectReachedInboxes } from "../federation/delivery/queries.ts";

const isLocal = (account: AccountView | undefined): account is AccountView =>
  account !== undefined && account.domain === null;

type Addressed = VisibilityFacts & {
  accountId: string;
  mentionIds: string[];
  inReplyToAccountId: string | null;
  /** The author of the reblogged status. */
  rebloggedId: string | null;
};

const addressedOf = (view: FederatedStatus): Addressed => ({
  ...visibilityFacts(view),
  accountId: view.account_id,
  mentionIds: view.mentions.map((mention) => mention.id),
  inReplyToAccountId: view.in_reply_to_account_id,
  rebloggedId: view.reblog?.account_id ?? null,
});

/** Beside the followers: the mentioned, the reblogged author, and on public statuses the parent's author. */
const namedIn = (one: Addressed): string[] =>
  [...one.mentionIds, openToEverybody(one) ? one.inReplyToAccountId : null, one.rebloggedId].filter(
    (id) => id !== null,
  );

/** Which of the authors have remote followers: for the others no inboxes are queried. */
const followedRemotely = async (app: App, addressed: Addressed[]): Promise<Set<string>> => {
  const ids = [...new Set(addressed.map(({ accountId }) => accountId))];
  const audiences = await cachedAudiences(app, ids);
  return new Set(ids.filter((id) => audiences.get(id)!.hasRemoteFollowers));
};

/** To the followers, unless it is direct, and to the accounts named in it. */
const recipients = async (
  app: App,
  addressed: Addressed[],
): Promise<Pick<OutgoingActivity, "accountId" | "inboxes" | "toFollowers">[]> => {
  const accounts = await loadAccounts(app, [...new Set(addressed.flatMap(namedIn))]);
  const followed = await followedRemotely(app, addressed);
  return addressed.map((one) => ({
    accountId: one.accountId,
    inboxes: namedIn(one).flatMap((id) => {
      const account = accounts.get(id);
      if (!account || account.domain === null || account.suspended_at) return [];
      return inboxOf(account) || [];
    }),
    toFollowers: openToFollowers(one) && followed.has(one.accountId),
  }));
};

type Delivery = { to: Addressed; activity: () => Activity; inboxes?: string[] };

/** Activities are only made where there is a recipient. */
const send = async (app: App, deliveries: Delivery[]): Promise<void> => {
  if (deliveries.length === 0) return;
  const found = await recipients(
    app,
    deliveries.map(({ to }) => to),
  );
  const relays = await relayInboxes(app);
  const outgoing = deliveries.flatMap(({ activity, inboxes = [] }, n): OutgoingActivity[] => {
    const { accountId, inboxes: named = [], toFollowers = false } = found[n]!;
    const isRelayed = listedPublicly(deliveries[n]!.to) && deliveries[n]!.to.rebloggedId === null;
    const all = [...named, ...inboxes, ...(isRelayed ? relays : [])];
    if (all.length === 0 && !toFollowers) return [];
    return [{ accountId, activity: activity(), inboxes: all, toFollowers }];
  });
  await deliver(app, app.sql, outgoing);
};

/** New local statuses and reblogs. */
export const deliverCreated = async (app: App, views: StatusView[]): Promise<void> => {
  const { site } = app.config;
  const local = views.filter((view) => view.local && isLocal(view.account)).filter(mayFederate);
  const listed = local.filter((view) => !view.reblog && listedPublicly(view));
  await announceToRelays(
    app,
    listed.map(({ uri }) => uri),
  );
  return send(
    app,
    local.map((view) => ({
      to: addressedOf(view),
      activity: () => statusActivity(view, site),
    })),
  );
};

/**
 * Also to the servers of remote accounts that boosted, favourited or replied to it: they have a
 * copy. `at`: the time of a change that is not an edit.
 */
export const deliverEdited = async (app: App, view: StatusView, at?: Date): Promise<void> => {
  if (!isLocal(view.account) || view.reblog || !mayFederate(view)) return;
  const inboxes = openToEverybody(view) ? await selectReachedInboxes(app.sql, view.id) : [];
  const activity = () => updateActivity(view, app.config.site, at);
  await send(app, [{ to: addressedOf(view), activity, inboxes }]);
};

/** The counts of a poll changed: to the servers that have it, and to the voters'. */
export const deliverPollCounted = async (app: App, view: StatusView): Promise<void> => {
  if (!view.poll || !isLocal(view.account) || !mayFederate(view)) return;
  const inboxes = await voterInboxes(app.sql, view.poll.id);
  const activity = () => updateActivity(view, app.config.site, app.clock.now());
  await send(app, [{ to: addressedOf(view), activity, inboxes }]);
};

/** Local statuses were deleted, or reblogs undone. */
export const deliverRemoved = async (app: App, removed: RemovedStatus[]): Promise<void> => {
  const local = removed.filter((one) => one.local).filter(mayHaveFederated);
  if (local.length === 0) return;
  const authors = await loadAccounts(app, [...new Set(local.map((one) => one.accountId))]);
  const targetIds = local.flatMap(({ reblogOfId }) => reblogOfId ?? []);
  const targets = new Map((await loadAsServer(app, targetIds)).map((view) => [view.id, view]));
  const deliveries = local.flatMap((one): Delivery[] => {
    const author = authors.get(one.accountId);
    if (!isLocal(author)) return [];
    const target = targets.get(one.reblogOfId ?? "");
    const to = { ...one, rebloggedId: target?.account_id ?? null };
    const activity = () =>
      one.reblogOfId
        ? undoAnnounce(author.uri, one, target?.account.uri ?? null)
        : deleteActivity(author.uri, one);
    return [{ to, activity }];
  });
  await send(app, deliveries);
};

export type FavouritedStatus = Favourited & { status: StatusView };

const like = async (
  app: App,
  acts: FavouritedStatus[],
  wrap: (like: Activity, status: StatusView) => Activity,
) => {
  const remote = acts.filter(({ status }) => status.account.domain !== null);
  const accounts = await loadAccounts(app, [...new Set(remote.map((act) => act.accountId))]);
  const outgoing = remote.flatMap((act): OutgoingActivity[] => {
    const { status } = act;
    const account = accounts.get(act.accountId);
    if (!isLocal(account) || !mayFederate(status)) return [];
    const made = likeActivity(account.uri, status);
    const activity = wrap(act.uri === null ? made : { ...made, id: act.uri }, status);
    // The author's own inbox: a Like does not say which account of a shared inbox it is for.
    const inboxes = [ownInboxOf(status.account)];
    return [{ accountId: account.id, activity, inboxes }];
  });
  await deliver(app, app.sql, outgoing);
};

/** To remote authors, when local accounts favourite their statuses; those who want to be asked are. */
export const deliverFavourited = (app: App, acts: FavouritedStatus[]): Promise<void> =>
  like(app, acts, (activity, status) =>
    isRestricted(status, "like") ? askFor("like", activity, status) : activity,
  );

export const deliverUnfavourited = (app: App, acts: FavouritedStatus[]): Promise<void> =>
  like(app, acts, (activity) => undo(activity));

const pinned = async (app: App, type: "Add" | "Remove", { accountId, statusId }: Pinned) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view || !isLocal(view.account) || !openToEverybody(view) || !mayFederate(view)) return;
  const activity = pinActivity(type, view);
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

export const deliverPinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Add", act);

export const deliverUnpinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Remove", act);
