// Publishing of small events to whoever listens now; nothing is kept. What must last is a job or a row.

/** An event on a channel; `payload` is passed on as it is and must be JSON. */
export type Listener<T = unknown> = (payload: T) => void;

export type PubSub = {
  publish(channel: string, payload: unknown): Promise<void>;
  /** Starts at once (an event published after the call returns is delivered); gives the way to stop. */
  subscribe(channel: string, listener: Listener): () => void;
  /** Those of the channels that somebody listens to: for others an event need not be made. */
  heard(channels: string[]): Promise<string[]>;
  close(): Promise<void>;
};
