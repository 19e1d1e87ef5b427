// An account goes for good: its sign-ins end, other counts are put right, its rows are taken away,
// and the servers that knew one of ours are told.

import type { App } from "../platform/app.ts";
import { deleteActorActivity } from "../domain/accounts/activitypub.ts";
import type { AccountChanged } from "../domain/accounts/events.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import { acquaintedInboxes, eraseAccount } from "../domain/accounts/remove.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { relationsChanged } from "../domain/relationships/changed.ts";
import { forgetRelations } from "../domain/relationships/forget.ts";
import { forgetStatuses } from "../domain/statuses/forget.ts";
import { publishTokensRevoked } from "../domain/timelines/streams.ts";
import { deliver } from "../federation/deliver.ts";

/** Gives those who followed it. */
const takeApart = (app: App, view: AccountView): Promise<string[]> =>
  app.sql.begin(async (tx) => {
    const inboxes = view.domain === null ? await acquaintedInboxes(tx, view.id) : [];
    await forgetStatuses(tx, view.id);
    const followers = await forgetRelations(tx, view.id);
    await eraseAccount(tx, view.id);
    // After the row is new: what was to be sent before went with the old one.
    await deliver(app, tx, [{ accountId: view.id, activity: deleteActorActivity(view), inboxes }]);
    return followers;
  });

export const onAccountRemoved = async (app: App, { id }: AccountChanged): Promise<void> => {
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view) return;
  await publishTokensRevoked(app, { accountId: id });
  const followers = await takeApart(app, view);
  await relationsChanged(app, ...followers);
};
