// Pubsub within one process.

import type { Listener, PubSub } from "./index.ts";

type Subscription = { listener: Listener };

/** `onFault` gets what a listener throws; the publisher and the other listeners are not affected. */
export const memoryPubSub = (onFault: (error: unknown) => void = () => {}): PubSub => {
  const channels = new Map<string, Set<Subscription>>();
  const notify = ({ listener }: Subscription, payload: unknown): void => {
    try {
      listener(payload);
    } catch (error) {
      onFault(error);
    }
  };
  return {
    async publish(channel, payload) {
      // The listeners are copied, so that one that subscribes during an event gets only the next one.
      const now = Array.from(channels.get(channel) ?? []);
      for (const subscription of now) notify(subscription, payload);
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
    async ready() {},
    async withListeners(names) {
      return names.filter((channel) => channels.has(channel));
    },
    // Within one process no event is missed.
    onMissed: () => () => {},
    async close() {
      channels.clear();
    },
  };
};
