// How long is tried to deliver an activity, when a host counts as gone, and how long one is remembered that nothing is
// sent to.

import { addDays, idAt } from "../../platform/ids/index.ts";
import type { DeleteSlice } from "../../platform/jobs/retention.ts";
import { deleteDeliveriesBefore, deleteIdleHosts } from "./queries-queue.ts";

const LIFETIME_DAYS = 7;
const HOST_DAYS = 30;

/** Deliveries with lower ids are given up. */
export const oldestDelivery = (now: Date): string => idAt(addDays(now, -LIFETIME_DAYS));

/** A host that has failed since then is gone: what was queued for it then is given up by now. */
export const goneSince = (now: Date): Date => addDays(now, -LIFETIME_DAYS);

export const deleteOldDeliveries: DeleteSlice = (app, now) =>
  deleteDeliveriesBefore(app.sql, oldestDelivery(now));

export const deleteOldHosts: DeleteSlice = (app, now) =>
  deleteIdleHosts(app.sql, addDays(now, -HOST_DAYS));
