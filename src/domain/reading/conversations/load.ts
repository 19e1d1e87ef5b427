// Loads conversation views in a fixed number of queries.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { loadRelations } from "../../people/relationships/load.ts";
import type { Relation } from "../../people/relationships/tables.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import { selectConversations } from "./queries.ts";
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

const isBlocked = (relation: Relation | undefined): boolean =>
  relation?.blocking === true || relation?.domain_blocking === true;

/**
 * Returns a page of one's conversations, newest first, with the ids for paging. Leaves out those with people whom one
 * blocks, and those whose other people are all suspended.
 */
export const listConversations = async (
  app: App,
  accountId: string,
  page: Page,
): Promise<{ views: ConversationView[]; ids: string[] }> => {
  const rows = inOrder(page, [...(await selectConversations(app.sql, accountId, page))]);
  const ids = rows.map((row) => row.last_status_id);
  const [views, relations] = await Promise.all([
    conversationViews(app, accountId, rows),
    loadRelations(app, accountId, [...new Set(rows.flatMap((row) => row.participant_ids))]),
  ]);
  const isShown = ({ accounts, participant_ids: others }: ConversationView): boolean =>
    (accounts.length === 0 || accounts.some((account) => account.suspended_at === null)) &&
    !others.some((id) => isBlocked(relations.get(id)));
  return { views: views.filter(isShown), ids };
};
