// An account moved: servers of its followers are notified, and the people here who follow it follow the new one.

import type { App } from "../platform/app.ts";
import { moveActivity } from "../domain/accounts/activitypub.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import { listInstead } from "../domain/lists/write.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { moveFollows } from "../domain/relationships/move-follows.ts";
import { deliver } from "../federation/deliver.ts";
import { onAccountUpdated } from "./account-updated.ts";

/** The profile says where to before the Move comes, which peers check. */
const announce = async (app: App, accountId: string, targetUri: string): Promise<void> => {
  const view = (await loadAccounts(app, [accountId])).get(accountId);
  if (view?.domain !== null) return;
  await onAccountUpdated(app, { id: accountId });
  const activity = moveActivity(view, targetUri, app.clock.now());
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

/** The job `account.moved`: first the announcement, then a slice of the followers each time. */
export const onAccountMoved = async (
  app: App,
  { accountId: fromId, targetId: toId, after }: JobPayloads["account.moved"],
): Promise<void> => {
  const views = await loadAccounts(app, [fromId, toId]);
  const [from, target] = [views.get(fromId), views.get(toId)];
  if (!target || from?.moved_to_account_id !== toId) return;
  if (after === "0") await announce(app, fromId, target.uri);
  const list = (ownerId: string) => listInstead(app, { ownerId, fromId, toId });
  const next = await moveFollows(app, { fromId, toId, after }, list);
  if (next !== null) {
    await app.jobs.add(app.sql, "account.moved", {
      accountId: fromId,
      targetId: toId,
      after: next,
    });
  }
};
