// Done activities are kept for a week, so that a repeat is known (a signature lasts half a day, a
// peer's retries some days), then deleted: once an hour at most, by whichever activity comes along.

import { hourly } from "../../platform/caches/hourly.ts";
import { deleteDoneBefore, deleteEarlyDeletesBefore } from "./queries.ts";

const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

export const pruneInbox = hourly("pruning of the inbox", async (app, now) => {
  const before = new Date(now.getTime() - KEPT_MS);
  await deleteDoneBefore(app.sql, before);
  await deleteEarlyDeletesBefore(app.sql, before);
});
