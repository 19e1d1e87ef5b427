// The outbox holds events that say what has been done and needs follow-up work. An event is a row that commits together
// with the change. Events are processed in batches by the worker of this process, which gets them from memory after the
// commit, or by another process (docs/design/write-path.md). Jobs (platform/jobs) are for work that is due later, is
// rare, or fetches from other servers.

/** Each slice declares its events and their payloads (plain JSON) by extending this interface. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface OutboxEvents {}

export type EventType = keyof OutboxEvents & string;

export type StoredEvent<T extends EventType = EventType> = {
  id: string;
  type: T;
  payload: OutboxEvents[T];
};

/** The worker's callback for events that this process has committed and claimed. */
export type Take = (events: StoredEvent[]) => void;

export type Outbox = {
  /** Returns the id of this process if it has a worker: new events are then claimed for it. */
  owner(): string | null;
  /** Passes the events of this process to `take` from now on; the result detaches it. */
  attach(take: Take): () => void;
  offer(events: StoredEvent[]): void;
};
