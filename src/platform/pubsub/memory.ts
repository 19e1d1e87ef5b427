// Pubsub within one process.

import type { Listener, PubSub } from "./index.ts";

export const memoryPubSub = (): PubSub => {
  const channels = new Map<string, Set<Listener>>();
  return {
    async publish(channel, payload) {
      for (const listener of channels.get(channel) ?? []) listener(payload);
    },
    subscribe(channel, listener) {
      const listeners = channels.get(channel) ?? new Set();
      channels.set(channel, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && channels.get(channel) === listeners) channels.delete(channel);
      };
    },
    async close() {
      channels.clear();
    },
  };
};
