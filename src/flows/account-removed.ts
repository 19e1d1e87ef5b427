// An account is removed for good: its tokens are revoked, servers that knew a local one get a Delete, and its
// rows are deleted slice by slice, with the counts of others. Each slice is a transaction of its
// own: an account of a million followers holds up nothing, and a process can stop in between.

import type { App } from "../platform/app.ts";
import type { Tx } from "../platform/db/index.ts";
import { deleteActorActivity } from "../domain/people/accounts/activitypub.ts";
import type { AccountRemoved } from "../domain/people/accounts/events.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { eraseAccount, lockRemovals } from "../domain/people/accounts/remove.ts";
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
import { deliver } from "../federation/deliver.ts";
import { relayInboxes } from "../federation/relays.ts";
import { endFollows } from "./ended-follows.ts";

const enqueueNext = (app: App, tx: Tx, { id, reserve }: AccountRemoved): Promise<void> => {
  const payload = { id, announced: true, ...(reserve !== undefined && { reserve }) };
  return app.jobs.add(tx, "account.removed", payload, { key: `account.removed:${id}` });
};

/** Read before the relations are deleted: who knew the account. What was to be sent before is not any more. */
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

/** Each deletes a slice within a transaction of its own; true when there may be more. */
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
 * One slice at a time of all removals: two accounts that follow each other would lock each their own counts, and then
 * wait for those of the other.
 */
const inTurn = <T>(app: App, work: (tx: Tx) => Promise<T>): Promise<T> =>
  app.sql.begin(async (tx) => {
    await lockRemovals(tx);
    return work(tx);
  }) as Promise<T>;

/** One slice of each; the last time, when nothing was left, also the account. Gives whose follows ended. */
const deleteNext = async (
  app: App,
  view: AccountView,
  removed: AccountRemoved,
): Promise<string[]> => {
  const { id, reserve } = removed;
  // Whom moderators removed still is there, and follows people here, as far as other servers know.
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

/** The job `account.removed`: first the announcement, then a slice each time. */
export const onAccountRemoved = async (app: App, removed: AccountRemoved) => {
  const { id, announced } = removed;
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view) return;
  if (announced) return relationsChanged(app, ...(await deleteNext(app, view, removed)));
  await publishTokensRevoked(app, { accountId: id });
  await announce(app, view, removed);
};
