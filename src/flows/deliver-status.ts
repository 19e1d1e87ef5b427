// Delivers statuses to other servers: which activity goes to which inboxes. Only activities of local accounts are
// delivered; those of remote ones are delivered by their own servers.

import type { App } from "../platform/app.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { undo } from "../domain/people/accounts/activitypub.ts";
import type { Sendable } from "../domain/people/accounts/activitypub.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { deleteActivity, updateActivity } from "../domain/posts/statuses/activitypub.ts";
import { statusActivity } from "../domain/posts/statuses/activitypub-acts.ts";
import {
  askFor,
  likeActivity,
  pinActivity,
  undoAnnounce,
} from "../domain/posts/statuses/activitypub-acts.ts";
import { softwareOf } from "../domain/base/peers/peers.ts";
import type { SentReaction } from "../domain/posts/statuses/activitypub-acts.ts";
import type { Favourited, Pinned } from "../domain/posts/statuses/events.ts";
import type { RemovedStatus } from "../domain/posts/statuses/removed.ts";
import {
  isRestricted,
  mayFederate,
  mayHaveFederated,
  withRecipients,
} from "../domain/posts/statuses/rules.ts";
import { loadAsServer } from "../domain/posts/statuses/load.ts";
import { readersOf } from "../domain/posts/statuses/reach.ts";
import type { FederatedStatus, StatusView } from "../domain/posts/statuses/tables.ts";
import { announceToRelays, relayInboxes } from "../federation/relays.ts";
import {
  isCircle,
  listedPublicly,
  openTo,
  openToFollowers,
  visibilityFacts,
} from "../domain/posts/statuses/visibility.ts";
import type { VisibilityFacts } from "../domain/posts/statuses/visibility.ts";
import { cachedAudiences } from "../domain/reading/timelines/cached-readers.ts";
import { sentReaction } from "../federation/reactions.ts";
import { deliver, inboxOf, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";

const isLocal = (account: AccountView | undefined): account is AccountView =>
  account !== undefined && account.domain === null;

type Author = VisibilityFacts & { accountId: string };

/**
 * Returns recipients besides the followers: mentioned people, the reblogged author, and on public statuses the parent's
 * author.
 */
const namedIn = (view: FederatedStatus): string[] =>
  [
    ...view.mentions.map((mention) => mention.id),
    openTo("elsewhere", view) ? view.in_reply_to_account_id : null,
    view.reblog?.account_id ?? null,
  ].filter((id) => id !== null);

/** Returns the people that each status names, by their inboxes. */
const namedInboxes = async (
  app: App,
  views: FederatedStatus[],
): Promise<Map<string, Map<string, string[]>>> => {
  const accounts = await loadAccounts(app, [...new Set(views.flatMap(namedIn))]);
  const inboxesOf = (view: FederatedStatus): Map<string, string[]> => {
    const named = new Map<string, string[]>();
    for (const id of namedIn(view)) {
      const account = accounts.get(id);
      if (!account || account.domain === null || account.suspended_at) continue;
      const inbox = inboxOf(account);
      if (inbox) named.set(inbox, [...(named.get(inbox) ?? []), id]);
    }
    return named;
  };
  return new Map(views.map((view) => [view.id, inboxesOf(view)]));
};

type Addressed = { view: FederatedStatus; inboxes: string[] };

/**
 * For a circle, returns an activity for each inbox that names only that server's people. All others get the same
 * activity.
 */
const addressedCopies = (view: FederatedStatus, named: Map<string, string[]>): Addressed[] =>
  isCircle(view)
    ? [...named].map(([inbox, ids]) => ({ view: withRecipients(view, ids), inboxes: [inbox] }))
    : [{ view, inboxes: [...named.keys()] }];

/** Returns which of the authors have remote followers; for the others no inboxes are queried. */
const followedRemotely = async (app: App, authors: Author[]): Promise<Set<string>> => {
  const ids = [...new Set(authors.map(({ accountId }) => accountId))];
  const audiences = await cachedAudiences(app, ids);
  return new Set(ids.filter((id) => audiences.get(id)!.hasRemoteFollowers));
};

type Delivery = {
  author: Author;
  activity: () => Sendable;
  /** Inboxes besides those of relays and, unless it is direct, of the author's followers. */
  inboxes: string[];
  /** Accounts whose followers get it, too. */
  followersOf?: string[];
  isRelayed: boolean;
  /** True when followers do not get it. */
  isPrivate?: boolean;
};

/** Makes and sends activities, but only where there is a recipient. */
const send = async (app: App, deliveries: Delivery[]): Promise<void> => {
  if (deliveries.length === 0) return;
  const followed = await followedRemotely(
    app,
    deliveries.map(({ author }) => author),
  );
  const relays = await relayInboxes(app);
  const outgoing = deliveries.flatMap((delivery): OutgoingActivity[] => {
    const { author, followersOf = [] } = delivery;
    const { accountId } = author;
    const toFollowers = !delivery.isPrivate && openToFollowers(author) && followed.has(accountId);
    const inboxes = [
      ...delivery.inboxes,
      ...(delivery.isRelayed && listedPublicly(author) ? relays : []),
    ];
    if (inboxes.length === 0 && followersOf.length === 0 && !toFollowers) return [];
    return [{ accountId, activity: delivery.activity(), inboxes, toFollowers, followersOf }];
  });
  await deliver(app, app.sql, outgoing);
};

const authorOf = (view: FederatedStatus): Author => ({
  ...visibilityFacts(view),
  accountId: view.account_id,
});

/** Delivers new local statuses and reblogs. */
export const deliverCreated = async (app: App, views: StatusView[]): Promise<void> => {
  const { site } = app.config;
  const local = views.filter((view) => view.local && isLocal(view.account)).filter(mayFederate);
  const listed = local.filter((view) => !view.reblog && listedPublicly(view));
  await announceToRelays(app, listed);
  const named = await namedInboxes(app, local);
  return send(
    app,
    local
      .flatMap((view) => addressedCopies(view, named.get(view.id)!))
      .map(({ view, inboxes }) => ({
        author: authorOf(view),
        activity: () => statusActivity(view, site),
        inboxes,
        isRelayed: !view.reblog,
      })),
  );
};

/**
 * Delivers the new text of a post to all who may have the old one and may see it; for a public one also to those who
 * interacted with it, and to the followers of those here who shared it. `at` is the time of a change that is not an
 * edit.
 */
export const deliverEdited = async (app: App, view: StatusView, at?: Date): Promise<void> => {
  if (!isLocal(view.account) || view.reblog || !mayFederate(view)) return;
  const named = (await namedInboxes(app, [view])).get(view.id)!;
  const { inboxes, sharerIds } = openTo("elsewhere", view)
    ? await readersOf(app.sql, view.id)
    : { inboxes: [], sharerIds: [] };
  await send(
    app,
    addressedCopies(view, named).map((copy) => ({
      author: authorOf(view),
      activity: () => updateActivity(copy.view, app.config.site, at),
      inboxes: [...copy.inboxes, ...inboxes],
      followersOf: sharerIds,
      isRelayed: true,
    })),
  );
};

/** Delivers deletions of local statuses, and undone reblogs. */
export const deliverRemoved = async (app: App, removed: RemovedStatus[]): Promise<void> => {
  const local = removed.filter((status) => status.local).filter(mayHaveFederated);
  if (local.length === 0) return;
  const authors = await loadAccounts(app, [...new Set(local.map((status) => status.accountId))]);
  const deliveries = local.flatMap((status): Delivery[] => {
    const author = authors.get(status.accountId);
    if (!isLocal(author)) return [];
    const { inboxes = [], sharerIds = [] } = status.reach ?? {};
    const activity = () =>
      status.reblogOfId ? undoAnnounce(author.uri, status) : deleteActivity(author.uri, status);
    return [
      {
        author: status,
        activity,
        inboxes,
        // Nobody here could share a post that is not public.
        followersOf: openTo("elsewhere", status) ? sharerIds : [],
        isRelayed: status.reblogOfId === null && !status.awaitsApproval,
        isPrivate: status.awaitsApproval,
      },
    ];
  });
  await send(app, deliveries);
};

export type FavouritedStatus = Favourited & { status: StatusView };

/** Returns the emojis of these reactions in the form of the author's server; queries nothing where there are none. */
const reactionsTo = async (
  app: App,
  acts: FavouritedStatus[],
): Promise<(SentReaction | null)[]> => {
  const reacting = acts.filter(({ reaction }) => reaction !== undefined);
  if (reacting.length === 0) return [];
  const hosts = [...new Set(reacting.map(({ status }) => status.account.domain!))];
  const software = await softwareOf(app, hosts);
  return Promise.all(
    acts.map(({ reaction, status }) =>
      reaction === undefined
        ? null
        : sentReaction(app, reaction, software.get(status.account.domain!)?.software ?? null),
    ),
  );
};

const like = async (
  app: App,
  acts: FavouritedStatus[],
  wrap: (like: Sendable, status: StatusView) => Sendable,
) => {
  const remote = acts.filter(({ status }) => status.account.domain !== null);
  const accounts = await loadAccounts(app, [...new Set(remote.map((act) => act.accountId))]);
  const reactions = await reactionsTo(app, remote);
  const outgoing = remote.flatMap((act, n): OutgoingActivity[] => {
    const { status } = act;
    const account = accounts.get(act.accountId);
    if (!isLocal(account) || !mayFederate(status)) return [];
    const like = likeActivity(account.uri, status, reactions[n]);
    const activity = wrap(act.uri ? { ...like, id: act.uri } : like, status);
    // The author's own inbox is used: a Like does not say which account of a shared inbox it is for.
    const inboxes = [ownInboxOf(status.account)];
    return [{ accountId: account.id, activity, inboxes }];
  });
  await deliver(app, app.sql, outgoing);
};

/** Sends local favourites to remote authors; authors who want to be asked get a request. */
export const deliverFavourited = (app: App, acts: FavouritedStatus[]): Promise<void> =>
  like(app, acts, (activity, status) =>
    isRestricted(status, "like") ? askFor("like", activity, status) : activity,
  );

export const deliverUnfavourited = (app: App, acts: FavouritedStatus[]): Promise<void> =>
  like(app, acts, (activity) => undo(activity));

const pinned = async (app: App, type: "Add" | "Remove", { accountId, statusId }: Pinned) => {
  const [view] = await loadAsServer(app, [statusId]);
  if (!view || !isLocal(view.account) || !openTo("elsewhere", view) || !mayFederate(view)) return;
  const activity = pinActivity(type, view);
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

export const deliverPinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Add", act);

export const deliverUnpinned = (app: App, act: Pinned): Promise<void> => pinned(app, "Remove", act);
