// The outbox: events that say what has been done and needs follow-up work. An event is a row that commits
// together with the change and is processed in batches: by the worker of this process, which gets it from
// memory after the commit, or by another process (docs/decisions/0022-outbox.md). Jobs (platform/jobs) are
// for work that has a time of its own or waits for other servers.

import type { App, Process } from "../app.ts";
import { afterCommit } from "../db/commits.ts";
import type { Db } from "../db/index.ts";
import { wakeAll } from "../wake.ts";
import { insertEvents } from "./queries.ts";

/** Each slice declares its events and their payloads (plain JSON) by extending this interface. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface OutboxEvents {}

export type EventType = keyof OutboxEvents & string;

/** An event as it is stored. */
export type StoredEvent<T extends EventType = EventType> = {
  id: string;
  type: T;
  payload: OutboxEvents[T];
};

/** The worker's callback for events that this process has committed and claimed. */
export type Take = (events: StoredEvent[]) => void;

export type Outbox = {
  /** This process, if it has a worker: then new events are claimed for it. */
  owner(): string | null;
  /** From now on `take` gets the events of this process; the result detaches it. */
  attach(take: Take): () => void;
  offer(events: StoredEvent[]): void;
};

export const createOutbox = (process: Process): Outbox => {
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
export const announce = (app: App, db: Db, events: StoredEvent[]): void => {
  if (events.length === 0) return;
  afterCommit(db, () => {
    if (app.outbox.owner() !== null) return app.outbox.offer(events);
    app.cacheSync?.wrote(events.map(({ id }) => id));
    wakeAll(app, "outbox");
  });
};

/** Writes events of one type within the transaction `db`; one statement. */
export const emit = async <T extends EventType>(
  app: App,
  db: Db,
  type: T,
  payloads: OutboxEvents[T][],
): Promise<void> => {
  if (payloads.length === 0) return;
  announce(app, db, [...(await insertEvents(db, app.outbox.owner(), type, payloads))]);
};
