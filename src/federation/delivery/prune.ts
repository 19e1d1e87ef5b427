// Outgoing activities are kept longer than the last attempt, then deleted, once an hour at most and
// by whichever delivery comes along: without deliveries the table does not grow either.

import { hourly } from "../../platform/caches/hourly.ts";
import { deleteOutgoingBefore } from "./queries.ts";

const KEPT_MS = 8 * 24 * 60 * 60 * 1000;

export const pruneOutgoing = hourly("pruning of outgoing activities", async (app, now) => {
  await deleteOutgoingBefore(app.sql, new Date(now.getTime() - KEPT_MS));
});
