// Ends follows for moderators: the other server is told, so that both sides know, and following again works when the
// block is lifted. Many end at once without a job for each.

import type { App } from "../platform/app.ts";
import type { Tx } from "../platform/db/index.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import {
  rejectFollowActivity,
  undoFollowActivity,
} from "../domain/people/relationships/activitypub.ts";
import { severFollows } from "../domain/people/relationships/sever.ts";
import type { EndedFollow, Side } from "../domain/people/relationships/sever.ts";
import { deliver, ownInboxOf } from "../federation/deliver.ts";
import type { OutgoingActivity } from "../federation/deliver.ts";

/**
 * Sends a Reject for each follow or request of a remote account, and an Undo for each of a local one, within the
 * transaction.
 */
const deliverEnded = async (app: App, tx: Tx, ended: EndedFollow[]): Promise<void> => {
  const ids = ended.flatMap((row) => [row.account_id, row.target_account_id]);
  const accounts = await loadAccounts(app, [...new Set(ids)], tx);
  const outgoing = ended.flatMap(({ account_id, target_account_id, uri }): OutgoingActivity[] => {
    const [follower, followed] = [accounts.get(account_id), accounts.get(target_account_id)];
    if (!follower || !followed || (follower.domain === null) === (followed.domain === null))
      return [];
    const follow = { uri, actor: follower.uri, object: followed.uri };
    const [own, other] = follower.domain === null ? [follower, followed] : [followed, follower];
    const activity = own === follower ? undoFollowActivity(follow) : rejectFollowActivity(follow);
    return [{ accountId: own.id, activity, inboxes: [ownInboxOf(other)] }];
  });
  await deliver(app, tx, outgoing);
};

/** Ends a slice of the follows from and to remote accounts; returns none when there are no more. */
export const endFollows = async (
  app: App,
  tx: Tx,
  ids: string[],
  side: Side,
): Promise<EndedFollow[]> => {
  const ended = await severFollows(tx, ids, side);
  await deliverEnded(app, tx, ended);
  return ended;
};
