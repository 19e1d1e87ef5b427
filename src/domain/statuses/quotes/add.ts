// The quotes of statuses that are made, within their transaction.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { addStatusCounts } from "../queries-write.ts";
import "./events.ts";
import { insertQuotes } from "./queries.ts";

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
  /** Of an author here: their authorization has an address of its own, which ends in the quote's id. */
  approvalPrefix?: string | null;
  /** How many quotes led here from what was sent to us. */
  depth: number;
};

export type Quoting = { statusId: string; accountId: string; local: boolean; quote: NewQuote };

/** Those that somebody has to agree to: ours ask, those from elsewhere are checked. */
const plan = async (app: App, tx: Tx, pending: Quoting[]): Promise<void> => {
  const ours = pending.filter(({ local }) => local);
  const theirs = pending.filter(({ local }) => !local);
  await app.jobs.addMany(
    tx,
    "quote.requested",
    ours.map(({ statusId }) => ({ payload: { statusId } })),
  );
  await app.jobs.addMany(
    tx,
    "quote.told",
    theirs.map(({ statusId, quote }) => ({ payload: { statusId, depth: quote.depth } })),
  );
};

export const addQuotes = async (app: App, tx: Tx, quotings: Quoting[]): Promise<void> => {
  if (quotings.length === 0) return;
  await insertQuotes(
    tx,
    quotings.map(({ statusId, accountId, quote: { accepted, approvalPrefix, ...rest } }) => ({
      statusId,
      accountId,
      ...rest,
      approvalPrefix: approvalPrefix ?? null,
      state: accepted ? ("accepted" as const) : ("pending" as const),
    })),
  );
  await plan(
    app,
    tx,
    quotings.filter(({ quote }) => !quote.accepted),
  );
  const counted = quotings.flatMap(({ quote }) =>
    quote.accepted && quote.quotedStatusId ? [{ id: quote.quotedStatusId, quotes: 1 }] : [],
  );
  await addStatusCounts(tx, counted);
};
