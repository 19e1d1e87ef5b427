// Follows and blocks: what follows from each, by jobs. Activities go from a local account to a remote one
// and nowhere else.

import type { App } from "../platform/app.ts";
import type { Sendable } from "../domain/accounts/activitypub.ts";
import type { RelationUris } from "../domain/relationships/activitypub.ts";
import { planWantedLinkCheck } from "../domain/accounts/link-checks.ts";
import { wantFilled } from "../domain/accounts/fill.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { endFormerFollow } from "../federation/former-names.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import { partCollections } from "../domain/collections/consent.ts";
import { notify, retract } from "../domain/notifications/notify.ts";
import {
  followActivity,
  acceptFollowActivity,
  undoFollowActivity,
  rejectFollowActivity,
  blockActivity,
  undoBlockActivity,
} from "../domain/relationships/activitypub.ts";
import type { Pair, PairWithUri } from "../domain/relationships/events.ts";
import { getFollowUri } from "../domain/relationships/load.ts";

type PairViews = { account: AccountView; target: AccountView };

/** Null when one of them has been deleted: then there is nothing left to do. */
const loadPair = async (
  app: App,
  pair: { accountId: string; targetId: string },
): Promise<PairViews | null> => {
  const views = await loadAccounts(app, [pair.accountId, pair.targetId]);
  const account = views.get(pair.accountId);
  const target = views.get(pair.targetId);
  return account && target ? { account, target } : null;
};

/** The URIs that an activity between the two names. */
const urisOf = ({ account, target }: PairViews, uri: string | null): RelationUris => ({
  uri,
  actor: account.uri,
  object: target.uri,
});

/** Delivers only from a local account to a remote one; otherwise does nothing. */
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

/** A local account is notified; a remote one gets the Follow. */
export const onFollowRequested = async (app: App, pair: Pair): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  const { accountId: fromId, targetId: accountId } = pair;
  await notify(app, app.sql, [{ accountId, fromId, type: "follow_request" }]);
  const uri = await getFollowUri(app, pair);
  // Withdrawn before this ran: the Follow would arrive after its Undo.
  if (uri === null) return;
  await deliverToRemote(app, views.account, views.target, followActivity(urisOf(views, uri)));
  if (views.account.domain !== null) return;
  await planWantedLinkCheck(app, views.target);
  await wantFilled(app, views.target);
};

/** The followed account is notified; a remote follower gets the Accept. */
export const onFollowed = async (app: App, pair: Pair): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await notify(app, app.sql, [
    { accountId: pair.targetId, fromId: pair.accountId, type: "follow" },
  ]);
  const uri = await getFollowUri(app, pair);
  // Ended before this ran: there is nothing to accept.
  if (uri === null) return;
  const activity = acceptFollowActivity(urisOf(views, uri));
  await deliverToRemote(app, views.target, views.account, activity);
};

/** Deletes the notification of a follow or a request. */
const retractFollow = async (app: App, pair: Pair, types: ("follow" | "follow_request")[]) => {
  const { accountId: fromId, targetId: accountId } = pair;
  await retract(
    app.sql,
    types.map((type) => ({ accountId, fromId, type })),
  );
};

/** A follow ended or a request was withdrawn: its notification is deleted, a remote account gets the Undo. */
export const onUnfollowed = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.account, views.target, undoFollowActivity(urisOf(views, uri)));
  await endFormerFollow(app, { ...pair, uri });
};

/** The notification of the request is deleted; a remote follower gets the Accept. */
export const onFollowAccepted = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow_request"]);
  await deliverToRemote(app, views.target, views.account, acceptFollowActivity(urisOf(views, uri)));
};

/** A request was rejected or a follower removed: a remote follower gets the Reject. */
export const onFollowRejected = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  await retractFollow(app, pair, ["follow", "follow_request"]);
  await deliverToRemote(app, views.target, views.account, rejectFollowActivity(urisOf(views, uri)));
};

/** The remote server hides both from each other. Follows that the block ended have jobs of their own. */
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
