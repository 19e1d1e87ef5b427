// Publishes small events to the current listeners. Nothing is stored: what must not be lost is a job or a
// row.

/** Called for each event on a channel; `payload` is JSON and is passed on as it is. */
export type Listener<T = unknown> = (payload: T) => void;

export type PubSub = {
  publish(channel: string, payload: unknown): Promise<void>;
  /**
   * Listens from now on: an event that this process publishes after the call returns is delivered, one of another
   * process once `ready` has resolved. The result stops it.
   */
  subscribe(channel: string, listener: Listener): () => void;
  /** All subscriptions so far are in force everywhere. */
  ready(): Promise<void>;
  /** Those of the channels, which may repeat, that have listeners: for the others an event need not be made. */
  withListeners(channels: string[]): Promise<string[]>;
  /**
   * Calls it when subscriptions were not in force for a while, and are again: events may have been missed. The result
   * stops it.
   */
  onMissed(tell: () => void): () => void;
  close(): Promise<void>;
};
