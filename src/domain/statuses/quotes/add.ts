// Storing the quotes of new statuses, within their transaction.

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
  /** No approval has to be requested: the quoted author is local, and the rules allow it. */
  accepted: boolean;
  legacy: boolean;
  /** The authorization that the quoting status names. */
  approvalUri: string | null;
  /** Of a local quoted author: the URI of the authorization without the quote's id at its end. */
  approvalPrefix?: string | null;
  /** How many quotes were followed from the received status to this one. */
  depth: number;
};

export type Quoting = { statusId: string; accountId: string; local: boolean; quote: NewQuote };

/** Pending quotes: for local ones approval is requested, remote ones are checked. */
const enqueue = async (app: App, tx: Tx, pending: Quoting[]): Promise<void> => {
  const requested = pending.filter(({ local }) => local);
  const unchecked = pending.filter(({ local }) => !local);
  await app.jobs.addMany(
    tx,
    "quote.requested",
    requested.map(({ statusId }) => ({ payload: { statusId } })),
  );
  await app.jobs.addMany(
    tx,
    "quote.told",
    unchecked.map(({ statusId, quote }) => ({ payload: { statusId, depth: quote.depth } })),
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
  await enqueue(
    app,
    tx,
    quotings.filter(({ quote }) => !quote.accepted),
  );
  const counted = quotings.flatMap(({ quote }) =>
    quote.accepted && quote.quotedStatusId ? [{ id: quote.quotedStatusId, quotes: 1 }] : [],
  );
  await addStatusCounts(tx, counted);
};
