// Outgoing activities are kept longer than the last attempt, then deleted, once an hour at most and
// by whichever delivery comes along: without deliveries the table does not grow either.

import type { App } from "../../platform/app.ts";
import { deleteOutgoingBefore } from "./queries.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 8 * 24 * HOUR_MS;
const prunedAt = new WeakMap<App, number>();

export const pruneOutgoing = async (app: App): Promise<void> => {
  const now = app.clock.now().getTime();
  if (now - (prunedAt.get(app) ?? 0) < HOUR_MS) return;
  prunedAt.set(app, now);
  await deleteOutgoingBefore(app.sql, new Date(now - KEPT_MS));
};
