// A profile of ours changed: who waited for a lock that is now open gets in, and the servers of
// followers are told.

import type { App } from "../platform/app.ts";
import { updateActorActivity } from "../domain/accounts/activitypub.ts";
import type { AccountChanged } from "../domain/accounts/events.ts";
import { getPublicKey, loadAccounts } from "../domain/accounts/load.ts";
import { acceptAllFollows } from "../domain/relationships/accept-follow.ts";
import { deliver } from "../federation/deliver.ts";

export const onAccountUpdated = async (app: App, { id }: AccountChanged): Promise<void> => {
  const view = (await loadAccounts(app, [id])).get(id);
  if (!view || view.domain !== null) return;
  if (!view.locked && view.suspended_at === null) await acceptAllFollows(app, id);
  const publicKey = await getPublicKey(app, id);
  const activity = updateActorActivity(view, publicKey, app.config.site, app.clock.now());
  await deliver(app, app.sql, [{ accountId: id, activity, toFollowers: true }]);
};
