// Says how long an activity is retried, when a host counts as gone, and how long an idle host is remembered.

import { addDays, idAt } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { deleteDeliveriesBefore, deleteIdleHosts } from "./queries-queue.ts";

const LIFETIME_DAYS = 7;
const HOST_DAYS = 30;

/** Returns the id below which deliveries are given up. */
export const oldestDelivery = (now: Date): string => idAt(addDays(now, -LIFETIME_DAYS));

/**
 * Returns the time since which a host must have failed to count as gone: what was queued for it then has been given up.
 */
export const goneSince = (now: Date): Date => addDays(now, -LIFETIME_DAYS);

export const deleteOldDeliveries: DeleteSlice = (app, now) =>
  deleteDeliveriesBefore(app.sql, oldestDelivery(now));

export const deleteOldHosts: DeleteSlice = (app, now) =>
  deleteIdleHosts(app.sql, addDays(now, -HOST_DAYS));
