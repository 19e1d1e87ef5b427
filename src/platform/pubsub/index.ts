// Publishes small events to the current listeners. Nothing is stored: what must not be lost is a job or a row.

/** Called for each event on a channel; `payload` is JSON and is passed on as it is. */
export type Listener<T = unknown> = (payload: T) => void;

export type PubSub = {
  publish(channel: string, payload: unknown): Promise<void>;
  /**
   * Starts to listen. Events that this process publishes after the call returns are delivered; those of another process
   * once `ready` has resolved. The result stops it.
   */
  subscribe(channel: string, listener: Listener): () => void;
  /** Resolves when all subscriptions made so far are active everywhere. */
  ready(): Promise<void>;
  /** Returns the channels, which may repeat, that have listeners; for the others an event need not be made. */
  withListeners(channels: string[]): Promise<string[]>;
  /**
   * Calls `tell` when subscriptions were interrupted and are active again, so that events may have been missed. The
   * result stops it.
   */
  onMissed(tell: () => void): () => void;
  close(): Promise<void>;
};
