// The two accounts of a follow or block, and delivery from a local one to a remote one.

import type { App } from "../platform/app.ts";
import type { RelationUris } from "../domain/relationships/activitypub.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { deliver, inboxOf } from "../federation/deliver.ts";

export type PairViews = { account: AccountView; target: AccountView };

/** Null when one of them has been deleted: then there is nothing left to do. */
export const loadPair = async (
  app: App,
  pair: { accountId: string; targetId: string },
): Promise<PairViews | null> => {
  const views = await loadAccounts(app, [pair.accountId, pair.targetId]);
  const account = views.get(pair.accountId);
  const target = views.get(pair.targetId);
  return account && target ? { account, target } : null;
};

/** The URIs that an activity between the two names. */
export const urisOf = ({ account, target }: PairViews, uri: string | null): RelationUris => ({
  uri,
  actor: account.uri,
  object: target.uri,
});

/** Delivers only from a local account to a remote one; otherwise does nothing. */
export const deliverToRemote = async (
  app: App,
  from: AccountView,
  to: AccountView,
  activity: Record<string, unknown>,
): Promise<void> => {
  if (from.domain !== null || to.domain === null) return;
  const inboxes = [to.inbox_url || inboxOf(to)];
  await deliver(app, app.sql, [{ accountId: from.id, activity, inboxes }]);
};
