// An account moved: servers of its followers are notified, and the people here who follow, block, mute or have a note
// about it do the same with the new one.

import type { App } from "../platform/app.ts";
import { moveActivity } from "../domain/people/accounts/activitypub.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import { listInstead } from "../domain/people/lists/write.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { carryOver } from "../domain/people/relationships/carry-over.ts";
import { moveFollows } from "../domain/people/relationships/move-follows.ts";
import { deliver } from "../federation/deliver.ts";
import { onAccountUpdated } from "./account-updated.ts";

/** Sends the profile before the Move, since it names the target and peers check it. */
const announce = async (app: App, accountId: string, targetUri: string): Promise<void> => {
  const view = (await loadAccounts(app, [accountId])).get(accountId);
  if (view?.domain !== null) return;
  await onAccountUpdated(app, { id: accountId });
  const activity = moveActivity(view, targetUri, app.clock.now());
  await deliver(app, app.sql, [{ accountId, activity, toFollowers: true }]);
};

type Moved = JobPayloads["account.moved"];

const planNext = (app: App, moved: Moved): Promise<void> =>
  app.jobs.add(app.sql, "account.moved", moved);

/**
 * Handles the job `account.moved`: the announcement, then a slice each time; followers come last, after mutes are
 * carried over.
 */
export const onAccountMoved = async (app: App, moved: Moved): Promise<void> => {
  const { accountId: fromId, targetId: toId, after, carried = false } = moved;
  const views = await loadAccounts(app, [fromId, toId]);
  const [from, target] = [views.get(fromId), views.get(toId)];
  if (!target || from?.moved_to_account_id !== toId) return;
  if (!carried) {
    if (after === "0") await announce(app, fromId, target.uri);
    const next = await carryOver(app, { from, to: target }, after);
    return planNext(app, { ...moved, after: next ?? "0", carried: next === null });
  }
  const list = (ownerId: string) => listInstead(app, { ownerId, fromId, toId });
  const next = await moveFollows(app, { fromId, toId, after }, list);
  if (next !== null) await planNext(app, { ...moved, after: next });
};
