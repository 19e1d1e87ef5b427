// Loads conversation views in a fixed number of queries.

import type { App } from "../../../platform/app.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import type { ConversationRow, ConversationView } from "./tables.ts";

/** Returns the accounts that a row shows: the others, or oneself where there are none. */
export const shownIds = (row: ConversationRow): string[] =>
  row.participant_ids.length > 0 ? row.participant_ids : [row.account_id];

/** Makes views of one person's rows. */
export const conversationViews = async (
  app: App,
  accountId: string,
  rows: ConversationRow[],
): Promise<ConversationView[]> => {
  const [accounts, statuses] = await Promise.all([
    loadAccounts(app, [...new Set(rows.flatMap(shownIds))]),
    loadVisible(
      app,
      rows.map((row) => row.last_status_id),
      asPerson(accountId),
    ),
  ]);
  const byId = new Map(statuses.map((view) => [view.id, view]));
  return rows.map((row) => ({
    ...row,
    accounts: shownIds(row).flatMap((id) => accounts.get(id) ?? []),
    lastStatus: byId.get(row.last_status_id) ?? null,
  }));
};

/** Makes views of those rows of which not all other people are suspended. */
export const shownConversations = async (
  ...[app, accountId, rows]: Parameters<typeof conversationViews>
): Promise<ConversationView[]> =>
  (await conversationViews(app, accountId, rows)).filter(
    ({ accounts }) =>
      accounts.length === 0 || accounts.some((account) => account.suspended_at === null),
  );
