// Stores calendar events of new and edited statuses in the same transaction.

import type { Db } from "../../../platform/db/index.ts";
import { upsertEvents } from "./queries.ts";
import type { EventOf } from "./queries.ts";

/** Replaces an existing event; its answers stay. */
export const setEvents = async (db: Db, events: EventOf[]): Promise<void> => {
  if (events.length > 0) await upsertEvents(db, events);
};
