// The quote of a status that is made, within its transaction.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { addStatusCounts } from "../queries-write.ts";
import "./events.ts";
import { insertQuote } from "./queries.ts";

/** A quote ready to be stored. */
export type NewQuote = {
  quotedUri: string;
  /** null: to be looked up. */
  quotedStatusId: string | null;
  quotedAccountId: string | null;
  /** Nobody has to be asked: it is one's own, or its author here allows it. */
  accepted: boolean;
  legacy: boolean;
  /** What is said to allow it. */
  approvalUri: string | null;
  /** Of an author here: their consent has an address of its own, which ends in the quote's id. */
  approvalPrefix?: string | null;
  /** How many quotes led here from what was sent to us. */
  depth: number;
};

type Quoting = { statusId: string; accountId: string; local: boolean; quote: NewQuote };

const plan = (app: App, tx: Tx, { statusId, local, quote }: Quoting): Promise<void> =>
  local
    ? app.jobs.add(tx, "quote.requested", { statusId })
    : app.jobs.add(tx, "quote.told", { statusId, depth: quote.depth });

export const addQuote = async (app: App, tx: Tx, quoting: Quoting): Promise<void> => {
  const { statusId, accountId, quote } = quoting;
  const { accepted, ...rest } = quote;
  await insertQuote(tx, {
    ...rest,
    approvalPrefix: rest.approvalPrefix ?? null,
    statusId,
    accountId,
    state: accepted ? "accepted" : "pending",
  });
  if (!accepted) return plan(app, tx, quoting);
  if (quote.quotedStatusId) await addStatusCounts(tx, quote.quotedStatusId, { quotes: 1 });
};
