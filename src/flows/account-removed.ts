// An account is removed for good: its tokens are revoked, the counts of others corrected, its rows
// deleted, and servers that knew a local one get a Delete.

import type { App } from "../platform/app.ts";
import { deleteActorActivity } from "../domain/accounts/activitypub.ts";
import type { AccountChanged } from "../domain/accounts/events.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import { relatedInboxes, eraseAccount } from "../domain/accounts/remove.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { relationsChanged } from "../domain/relationships/changed.ts";
import { deleteRelations } from "../domain/relationships/unfollow.ts";
import { deleteBatchOf, deleteStatusesOf } from "../domain/statuses/delete-all.ts";
import { publishTokensRevoked } from "../domain/timelines/streams.ts";
import { deliver } from "../federation/deliver.ts";

/** Deletes what the account has; returns its followers. */
const deleteAll = (app: App, view: AccountView): Promise<string[]> =>
  app.sql.begin(async (tx) => {
    const inboxes = view.domain === null ? await relatedInboxes(tx, view.id) : [];
    // What was written since the last look.
    await deleteBatchOf(tx, view.id);
    const followers = await deleteRelations(tx, view.id);
    await eraseAccount(tx, view.id);
    // Enqueued after the deletion, which removes waiting deliveries of the account.
    await deliver(app, tx, [{ accountId: view.id, activity: deleteActorActivity(view), inboxes }]);
    return followers;
  });

export const onAccountRemoved = async (app: App, { id }: AccountChanged): Promise<void> => {
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view) return;
  await publishTokensRevoked(app, { accountId: id });
  await deleteStatusesOf(app, id);
  const followers = await deleteAll(app, view);
  await relationsChanged(app, ...followers);
};
