// Finds why a status is in somebody's home: they wrote it, follow its author or booster, or a hashtag of it. The same
// rules that put it there are asked, so that the reason is always right.

import type { App } from "../../../platform/app.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { listAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { getVisible } from "../../posts/statuses/load.ts";
import { selectReasons } from "./queries-reasons.ts";
import type { ReasonRow } from "./queries-reasons.ts";

export type Reason =
  | { type: "own" | "followed" | "boosted"; account: AccountView }
  | { type: "hashtag"; hashtag: string };

const typeOf = (row: ReasonRow, accountId: string): "own" | "followed" | "boosted" => {
  if (row.account_id === accountId) return "own";
  return row.isBoost ? "boosted" : "followed";
};

/** Returns none where it is not in their home; throws 404 for a status that they may not see. */
export const homeReasons = async (
  app: App,
  accountId: string,
  statusId: string,
): Promise<Reason[]> => {
  const { id } = await getVisible(app, statusId, asPerson(accountId));
  const rows = await selectReasons(app.sql, accountId, id);
  const ids = [...new Set(rows.map((row) => row.account_id))];
  const accounts = new Map((await listAccounts(app, ids)).map((view) => [view.id, view]));
  return rows.flatMap((row): Reason[] => {
    if (row.tag !== null) return [{ type: "hashtag", hashtag: row.tag }];
    const account = accounts.get(row.account_id);
    return account ? [{ type: typeOf(row, accountId), account }] : [];
  });
};
