// Pubsub within one process.

import type { Listener, PubSub } from "./index.ts";

type Subscription = { listener: Listener };

/** `onFault` hears what a listener throws: neither the publisher nor other listeners do. */
export const memoryPubSub = (onFault: (error: unknown) => void = () => {}): PubSub => {
  const channels = new Map<string, Set<Subscription>>();
  const tell = ({ listener }: Subscription, payload: unknown): void => {
    try {
      listener(payload);
    } catch (error) {
      onFault(error);
    }
  };
  return {
    async publish(channel, payload) {
      // A copy: who subscribes while it is told hears of the next event first.
      const now = Array.from(channels.get(channel) ?? []);
      for (const subscription of now) tell(subscription, payload);
    },
    subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? new Set();
      const subscription = { listener }; // a listener may subscribe twice
      channels.set(channel, listeners.add(subscription));
      return () => {
        listeners.delete(subscription);
        if (listeners.size === 0 && channels.get(channel) === listeners) channels.delete(channel);
      };
    },
    async heard(wanted) {
      return wanted.filter((channel) => channels.has(channel));
    },
    async close() {
      channels.clear();
    },
  };
};
