// The two accounts of a relation, and whether the telling goes to another server.

import type { App } from "../platform/app.ts";
import type { Acquaintance } from "../domain/relationships/activitypub.ts";
import { loadAccounts } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { deliver, inboxOf } from "../federation/deliver.ts";

export type People = { account: AccountView; target: AccountView };

/** Null when one of them is gone meanwhile: then there is nothing left to do. */
export const loadPeople = async (
  app: App,
  pair: { accountId: string; targetId: string },
): Promise<People | null> => {
  const views = await loadAccounts(app, [pair.accountId, pair.targetId]);
  const account = views.get(pair.accountId);
  const target = views.get(pair.targetId);
  return account && target ? { account, target } : null;
};

/** By their addresses, as activities name them. */
export const acquaintance = ({ account, target }: People, uri: string | null): Acquaintance => ({
  uri,
  actor: account.uri,
  object: target.uri,
});

/** From one of ours to one elsewhere, and to nobody else; anything else needs no telling. */
export const tell = async (
  app: App,
  from: AccountView,
  to: AccountView,
  activity: Record<string, unknown>,
): Promise<void> => {
  if (from.domain !== null || to.domain === null) return;
  const inboxes = [to.inbox_url || inboxOf(to)];
  await deliver(app, app.sql, [{ accountId: from.id, activity, inboxes }]);
};
