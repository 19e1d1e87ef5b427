// Done activities are kept for a week, so that a repeat is known (a signature lasts half a day, a
// peer's retries some days), then deleted: once an hour at most, by whichever activity comes along.

import type { App } from "../../platform/app.ts";
import { deleteDoneBefore, deleteEarlyDeletesBefore } from "./queries.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 7 * 24 * HOUR_MS;
const prunedAt = new WeakMap<App, number>();

export const pruneInbox = async (app: App): Promise<void> => {
  const now = app.clock.now().getTime();
  if (now - (prunedAt.get(app) ?? 0) < HOUR_MS) return;
  prunedAt.set(app, now);
  const before = new Date(now - KEPT_MS);
  await deleteDoneBefore(app.sql, before);
  await deleteEarlyDeletesBefore(app.sql, before);
};
