// Quotes by their status, id or authorization, for the flows and for federation.

import type { Db } from "../../../platform/db/index.ts";
import {
  selectLocalQuoting,
  selectQuote,
  selectQuoteById,
  selectQuotesByApproval,
} from "./queries.ts";
import type { FullQuote } from "./queries.ts";

export type { FullQuote };

/** The quote in a status. */
export const findQuote = (db: Db, statusId: string): Promise<FullQuote | null> =>
  selectQuote(db, statusId);

export const findQuoteById = (db: Db, id: string): Promise<FullQuote | null> =>
  selectQuoteById(db, id);

/** The statuses whose quotes this authorization approves. */
export const quotesByApproval = (db: Db, uri: string, quotedAccountId: string): Promise<string[]> =>
  selectQuotesByApproval(db, uri, quotedAccountId);

/** The local statuses that quote this one, with their authors. */
export const localQuotesOf = async (db: Db, statusId: string) =>
  (await selectLocalQuoting(db, statusId)).map((row) => ({
    statusId: row.status_id,
    accountId: row.account_id,
  }));
