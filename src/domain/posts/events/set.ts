// Events of new and edited statuses, in the same transaction.

import type { Db } from "../../../platform/db/index.ts";
import { upsertEvents } from "./queries.ts";
import type { EventOf } from "./queries.ts";

/** What there was before is replaced; its answers stay. */
export const setEvents = async (db: Db, events: EventOf[]): Promise<void> => {
  if (events.length > 0) await upsertEvents(db, events);
};
