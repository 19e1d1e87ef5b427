// An account is removed for good: its tokens are revoked, servers that knew a local one get a Delete, and its rows are
// deleted slice by slice, with the counts of others. Each slice is a transaction of its own, so that an account with a
// million followers blocks nothing, and a process can stop in between.

import type { App } from "../platform/app.ts";
import type { Tx } from "../platform/db/index.ts";
import { deleteActorActivity } from "../domain/people/accounts/activitypub.ts";
import type { AccountRemoved } from "../domain/people/accounts/events.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { lockNamed } from "../platform/db/lock-named.ts";
import { eraseAccount } from "../domain/people/accounts/remove.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { deleteConversationsOf } from "../domain/reading/conversations/record.ts";
import { removeFromLists } from "../domain/people/lists/write.ts";
import { deleteAnswersOf } from "../domain/posts/events/recount.ts";
import { deleteNotificationsOf } from "../domain/reading/notifications/notify.ts";
import { deleteVotesOf } from "../domain/posts/polls/vote.ts";
import { relationsChanged } from "../domain/people/relationships/changed.ts";
import { deleteRelations } from "../domain/people/relationships/unfollow.ts";
import { deleteActsOf, deleteStatusesOf } from "../domain/posts/statuses/remove.ts";
import { relatedInboxes } from "../domain/posts/statuses/reach.ts";
import { deleteAsGroup } from "../domain/reading/groups/retention.ts";
import { publishTokensRevoked } from "../domain/reading/timelines/streams.ts";
import { deleteOutgoingOf } from "../federation/delivery/queries.ts";
import { shareProfile } from "../federation/fasp/sharing.ts";
import { deliver } from "../federation/deliver.ts";
import { relayInboxes } from "../federation/relays.ts";
import { endFollows } from "./ended-follows.ts";

const enqueueNext = (app: App, tx: Tx, { id, reserve }: AccountRemoved): Promise<void> => {
  const payload = { id, announced: true, ...(reserve !== undefined && { reserve }) };
  return app.jobs.add(tx, "account.removed", payload, { key: `account.removed:${id}` });
};

/**
 * Sends the Delete, before the relations are deleted that say who knew the account. What was waiting to be sent is
 * dropped.
 */
const announce = (app: App, view: AccountView, removed: AccountRemoved): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (view.domain === null) {
      await deleteOutgoingOf(tx, view.id);
      const inboxes = [...(await relatedInboxes(tx, view.id)), ...(await relayInboxes(app))];
      const activity = deleteActorActivity(view);
      await deliver(app, tx, [{ accountId: view.id, activity, inboxes }]);
    }
    await enqueueNext(app, tx, removed);
  });

type About = { app: App; isShutOut: boolean };

/** Each function deletes a slice within its own transaction; returns whether there may be more. */
const SLICES: ((tx: Tx, id: string, about: About) => Promise<boolean>)[] = [
  deleteStatusesOf,
  deleteActsOf,
  deleteNotificationsOf,
  deleteConversationsOf,
  deleteVotesOf,
  deleteAnswersOf,
  removeFromLists,
  deleteAsGroup,
];

/**
 * Runs one slice of all removals at a time: two accounts that follow each other would deadlock on each other's counts.
 */
const inTurn = <T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> =>
  app.sql.begin(async (tx) => {
    // The rows of accounts are deleted of one after the other.
    await lockNamed(tx, "account.removed");
    return work(tx);
  }) as Promise<T>;

/** Deletes one slice of each; when nothing is left, also the account. Returns whose follows ended. */
const deleteNext = async (
  app: App,
  view: AccountView,
  removed: AccountRemoved,
): Promise<string[]> => {
  const { id, reserve } = removed;
  // An account that moderators removed still exists on its server, where it follows people here.
  const isShutOut = view.domain !== null && reserve === true;
  let isMore = false;
  for (const slice of SLICES)
    isMore = (await inTurn(app, (tx) => slice(tx, id, { app, isShutOut }))) || isMore;
  return inTurn(app, async (tx) => {
    const ended = isShutOut ? await endFollows(app, tx, [id], "both") : [];
    const relations = await deleteRelations(tx, id);
    if (isMore || ended.length > 0 || relations.isMore) await enqueueNext(app, tx, removed);
    else await eraseAccount(tx, id, reserve);
    return [...ended.map((row) => row.account_id), ...relations.followers];
  });
};

/** Handles the job `account.removed`: first the announcement, then a slice each time. */
export const onAccountRemoved = async (app: App, removed: AccountRemoved) => {
  const { id, announced } = removed;
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view) return;
  if (announced) return relationsChanged(app, ...(await deleteNext(app, view, removed)));
  await publishTokensRevoked(app, { accountId: id });
  await shareProfile(app, id);
  await announce(app, view, removed);
};
