// Finds familiar followers: which of the accounts that one follows also follow somebody else.

import type { App } from "../../../platform/app.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { selectFamiliar } from "./queries.ts";

/** Familiar followers of one account; clients show some faces and a number. */
const MAX_EACH = 80;

export type Familiar = { id: string; accounts: AccountView[] };

/** Returns them in the order of the ids; unknown ids are left out. Takes two queries for any number of ids. */
export const familiarFollowers = async (
  app: App,
  viewerId: string,
  ids: string[],
): Promise<Familiar[]> => {
  if (ids.length === 0) return [];
  const rows = await selectFamiliar(app.sql, viewerId, ids, MAX_EACH);
  const views = await loadAccounts(app, [...new Set(rows.flatMap((row) => row.follower_ids))]);
  const byAccount = new Map(rows.map((row) => [row.id, row.follower_ids]));
  return ids.flatMap((id) => {
    const followers = byAccount.get(id);
    if (!followers) return [];
    return [{ id, accounts: followers.flatMap((follower) => views.get(follower) ?? []) }];
  });
};
