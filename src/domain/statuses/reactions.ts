// The emojis with which people elsewhere favourited: characters, or `:name:` of their servers' own ones.

import type { App } from "../../platform/app.ts";
import { countReactions, selectReactions } from "./queries.ts";

export type ReactionCount = { reaction: string; count: number };

/** Of one post, the most frequent first. */
export const reactionsOf = async (app: App, statusId: string): Promise<ReactionCount[]> => [
  ...(await countReactions(app.sql, statusId)),
];

/** By account and status: of the pairs that have one. */
export const loadReactions = async (
  app: App,
  pairs: { accountId: string; statusId: string }[],
): Promise<(accountId: string, statusId: string | null) => string | null> => {
  const rows = pairs.length === 0 ? [] : await selectReactions(app.sql, pairs);
  const found = new Map(rows.map((row) => [`${row.account_id} ${row.status_id}`, row.reaction]));
  return (accountId, statusId) => found.get(`${accountId} ${statusId}`) ?? null;
};
