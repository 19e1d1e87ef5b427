// Reacts to follows and blocks, by jobs, or by events for what many people do at once. Activities go only from a local
// account to a remote one.

import type { App } from "../platform/app.ts";
import type { Sendable } from "../domain/people/accounts/activitypub.ts";
import type { RelationUris } from "../domain/people/relationships/activitypub.ts";
import { planWantedLinkCheck } from "../domain/people/accounts/link-checks.ts";
import { wantFilled } from "../domain/people/accounts/fill.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { endFormerFollow } from "../federation/former-names.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import { partCollections } from "../domain/people/collections/consent.ts";
import { notify, retract } from "../domain/reading/notifications/notify.ts";
import {
  followActivity,
  acceptFollowActivity,
  undoFollowActivity,
  rejectFollowActivity,
  blockActivity,
  undoBlockActivity,
} from "../domain/people/relationships/activitypub.ts";
import type { Pair, PairWithUri } from "../domain/people/relationships/events.ts";
import { getFollowUri, getFollowUris } from "../domain/people/relationships/load.ts";
import { emit } from "../platform/outbox/emit.ts";
import type { EventFlow } from "../platform/outbox/worker.ts";

type PairViews = { account: AccountView; target: AccountView };
type LoadedPair = Pair & PairViews;

/** Loads pairs; those with a deleted account are left out, since nothing is left to do. */
const loadPairs = async (app: App, pairs: Pair[]): Promise<LoadedPair[]> => {
  const ids = pairs.flatMap(({ accountId, targetId }) => [accountId, targetId]);
  const views = await loadAccounts(app, [...new Set(ids)]);
  return pairs.flatMap((pair) => {
    const account = views.get(pair.accountId);
    const target = views.get(pair.targetId);
    return account && target ? [{ ...pair, account, target }] : [];
  });
};

const loadPair = async (app: App, pair: Pair): Promise<PairViews | null> => {
  const [views] = await loadPairs(app, [pair]);
  return views ?? null;
};

/** Returns the URIs that an activity between the two names. */
const urisOf = ({ account, target }: PairViews, uri: string | null): RelationUris => ({
  uri,
  actor: account.uri,
  object: target.uri,
});

/** Delivers from a local account to a remote one; otherwise does nothing. */
const deliverToRemote = async (
  app: App,
  from: AccountView,
  to: AccountView,
  activity: Sendable,
): Promise<void> => {
  if (from.domain !== null || to.domain === null) return;
  const inboxes = [ownInboxOf(to)];
  await deliver(app, app.sql, [{ accountId: from.id, activity, inboxes }]);
};

/** Notifies a local account; sends the Follow to a remote one. */
export const onFollowRequested = async (app: App, pair: Pair): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  const { accountId: fromId, targetId: accountId } = pair;
  await notify(app, app.sql, [{ accountId, fromId, type: "follow_request" }]);
  const uri = await getFollowUri(app, pair);
  // The request was withdrawn before this ran: the Follow would arrive after its Undo.
  if (uri === null) return;
  await deliverToRemote(app, views.account, views.target, followActivity(urisOf(views, uri)));
  if (views.account.domain !== null) return;
  await planWantedLinkCheck(app, views.target);
  await wantFilled(app, views.target);
};

const notifyFollowed = (app: App, follows: LoadedPair[]): Promise<void> =>
  notify(
    app,
    app.sql,
    follows.map(({ accountId: fromId, targetId: accountId }) => ({
      accountId,
      fromId,
      type: "follow" as const,
    })),
  );

/** Sends the Accept to remote followers, unless they are gone and there is nothing to accept. */
const deliverAccepts = async (app: App, follows: LoadedPair[]): Promise<void> => {
  const remote = follows.filter(
    ({ account, target }) => account.domain !== null && target.domain === null,
  );
  const uris = await getFollowUris(app, remote);
  const outgoing = remote.flatMap((follow, n) => {
    const uri = uris[n]!;
    if (uri === null) return [];
    const activity = acceptFollowActivity(urisOf(follow, uri));
    return [{ accountId: follow.targetId, activity, inboxes: [ownInboxOf(follow.account)] }];
  });
  await deliver(app, app.sql, outgoing);
};

export const accountFollowed: EventFlow<"account.followed", LoadedPair> = {
  key: ({ accountId, targetId }) => `${accountId} ${targetId}`,
  load: loadPairs,
  steps: { notify: notifyFollowed, deliver: deliverAccepts },
};

/** Emits the event that replaced this job of the previous version. */
export const onFollowed = (app: App, pair: Pair): Promise<void> =>
  emit(app, app.sql, "account.followed", [pair]);

/** Deletes the notification of a follow or a request. */
const retractFollow = async (app: App, pair: Pair, types: ("follow" | "follow_request")[]) => {
  const { accountId: fromId, targetId: accountId } = pair;
  await retract(
    app.sql,
    types.map((type) => ({ accountId, fromId, type })),
  );
};

/** A follow ended or a request was withdrawn: deletes its notification, and sends the Undo to a remote account. */
export const onUnfollowed = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.account, views.target, undoFollowActivity(urisOf(views, uri)));
  await endFormerFollow(app, { ...pair, uri });
};

/** Deletes the notification of an accepted request, and sends the Accept to a remote follower. */
export const onFollowAccepted = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow_request"]);
  await deliverToRemote(app, views.target, views.account, acceptFollowActivity(urisOf(views, uri)));
};

/** A request was rejected or a follower removed: sends the Reject to a remote follower. */
export const onFollowRejected = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.target, views.account, rejectFollowActivity(urisOf(views, uri)));
};

/**
 * Sends the Block, so that the remote server hides both from each other. Follows that the block ended have jobs of
 * their own.
 */
export const onBlocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await partCollections(app, pair.accountId, pair.targetId);
  await deliverToRemote(app, views.account, views.target, blockActivity(urisOf(views, uri)));
};

export const onUnblocked = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await deliverToRemote(app, views.account, views.target, undoBlockActivity(urisOf(views, uri)));
};
