// Activities that this server still sends under its former names (docs/design/moving.md): what it ends or changes
// there, and answers to those who follow there.

import type { App } from "../platform/app.ts";
import { formerAddresses, withFormerNames } from "../platform/config/names.ts";
import type { FormerNames } from "../platform/config/names.ts";
import { loadAccounts } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import {
  acceptFollowActivity,
  rejectFollowActivity,
  undoFollowActivity,
} from "../domain/people/relationships/activitypub.ts";
import type { Pair, PairWithUri } from "../domain/people/relationships/events.ts";
import { endFormer, isFormerFollow } from "../domain/people/relationships/former-follows.ts";
import { getFollowUri } from "../domain/people/relationships/load.ts";
import { deliver, ownInboxOf } from "./deliver.ts";

type PairViews = { account: AccountView; target: AccountView };

const loadPair = async (app: App, { accountId, targetId }: Pair): Promise<PairViews | null> => {
  const views = await loadAccounts(app, [accountId, targetId]);
  const [account, target] = [views.get(accountId), views.get(targetId)];
  return account && target ? { account, target } : null;
};

export type FormerFollow = Pair & { uri: string; names: FormerNames };

/**
 * Answers a Follow of an old address. Who followed before is accepted again, as the Move has not arrived there yet.
 * Anybody else is refused; the document says where the account is now.
 */
export const answerFormerFollow = async (
  app: App,
  { uri, names, ...pair }: FormerFollow,
): Promise<void> => {
  const views = await loadPair(app, pair);
  if (!views) return;
  const { account, target } = views;
  const make = (await isFormerFollow(app, pair)) ? acceptFollowActivity : rejectFollowActivity;
  const answer = make({ uri, actor: account.uri, object: target.uri });
  const activity = withFormerNames(app.config.site, names, answer);
  await deliver(app, app.sql, [{ accountId: target.id, activity, inboxes: [ownInboxOf(account)] }]);
};

/** Undoes the old Follow once the other server has answered a Follow by the present name, or that has ended. */
export const endFormerFollow = async (app: App, { uri, ...pair }: PairWithUri): Promise<void> => {
  const views = (await isFormerFollow(app, pair)) ? await loadPair(app, pair) : null;
  if (!views || views.account.domain !== null) return;
  const { account, target } = views;
  const followUri = uri ?? (await getFollowUri(app, pair));
  const undo = undoFollowActivity({ uri: followUri, actor: account.uri, object: target.uri });
  const { site } = app.config;
  await app.sql.begin(async (tx) => {
    if ((await endFormer(tx, [pair])).length === 0) return;
    const undone = formerAddresses(site, account.uri, account.created_at).map(({ names }) => ({
      accountId: account.id,
      activity: withFormerNames(site, names, undo),
      inboxes: [ownInboxOf(target)],
    }));
    await deliver(app, tx, undone);
  });
};
