// Writes events into the outbox and passes them to a worker.

import type { App } from "../app.ts";
import { afterCommit } from "../db/commits.ts";
import type { Db } from "../db/index.ts";
import { wakeAll } from "../wake.ts";
import type { EventType, Outbox, OutboxEvents, StoredEvent, Take } from "./index.ts";
import { insertEvents } from "./queries.ts";

export const createOutbox = (process: { readonly id: string }): Outbox => {
  let take: Take | null = null;
  return {
    owner: () => (take ? process.id : null),
    attach(next) {
      take = next;
      return () => (take = null);
    },
    offer: (events) => take?.(events),
  };
};

/**
 * Passes events that a statement has written (queries.ts, `eventInsert`) to a worker after the commit of
 * `db`'s transaction. If the process dies before that, a worker finds them when it polls.
 */
export const publishEvents = (app: App, db: Db, events: StoredEvent[]): void => {
  if (events.length === 0) return;
  afterCommit(db, () => {
    if (app.outbox.owner() !== null) return app.outbox.offer(events);
    app.cacheSync?.wrote(events.map(({ id }) => id));
    wakeAll(app, "outbox");
  });
};

/** Writes events of one type within the transaction `db`, by one statement. */
export const emit = async <T extends EventType>(
  app: App,
  db: Db,
  type: T,
  payloads: OutboxEvents[T][],
): Promise<void> => {
  if (payloads.length === 0) return;
  publishEvents(app, db, [...(await insertEvents(db, app.outbox.owner(), type, payloads))]);
};
