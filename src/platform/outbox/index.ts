// Events: what was done and has consequences. They are rows that commit together with the act and are
// worked in batches: by the worker of this process, which gets them from memory after the commit, or by
// another one (docs/decisions/0022-outbox.md). Jobs (platform/jobs) are for what has a time of its own
// or waits for other servers.

import type { App } from "../app.ts";
import { afterCommit } from "../db/after-commit.ts";
import type { Db } from "../db/index.ts";
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

/** The worker's end: takes events that this process has committed, and has claimed for itself. */
export type Take = (events: StoredEvent[]) => void;

export type Outbox = {
  /** Is there a worker in this process? Events that are written are claimed for it. */
  isAttached(): boolean;
  /** From now on `take` gets the events of this process; gives the way back. */
  attach(take: Take): () => void;
  offer(events: StoredEvent[]): void;
};

/** Workers of other processes listen to it. */
export const OUTBOX_CHANNEL = "outbox";

export const createOutbox = (): Outbox => {
  let take: Take | null = null;
  return {
    isAttached: () => take !== null,
    attach(next) {
      take = next;
      return () => (take = null);
    },
    offer: (events) => take?.(events),
  };
};

/**
 * Hands events that a statement has written (queries.ts, `eventInsert`) to a worker after the commit
 * of `db`'s transaction. Should the process die before, they are found by the next look.
 */
export const announce = (app: App, db: Db, events: StoredEvent[]): void => {
  if (events.length === 0) return;
  afterCommit(db, () => {
    if (app.outbox.isAttached()) return app.outbox.offer(events);
    app.sql
      .notify(OUTBOX_CHANNEL, "")
      .catch((error: unknown) => app.log.warn({ err: error }, "no worker was woken"));
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
  announce(app, db, [...(await insertEvents(db, app.outbox.isAttached(), type, payloads))]);
};
