// Waking a worker: by a call while it is in this process, otherwise by a notification.

import type { App } from "./app.ts";
import { perApp } from "./caches/index.ts";

export type Wake = () => void;

/** Notifications on their way, by channel, and whether another one is needed after them. */
const notifyingOf = perApp("workers being woken", () => {
  const channels = new Map<string, { again: boolean }>();
  return { channels, entries: () => channels.size };
});

/** Wakes the workers of other processes, which listen to the channel; many calls at once share a notification. */
export const notifyWorkers = (app: App, channel: string): void => {
  const { channels } = notifyingOf(app);
  const running = channels.get(channel);
  if (running) return void (running.again = true);
  const state = { again: false };
  channels.set(channel, state);
  const end = (): void => {
    channels.delete(channel);
    if (state.again) notifyWorkers(app, channel);
  };
  // They also look by themselves, a little later.
  app.sql.notify(channel, "").then(end, (error: unknown) => {
    state.again = false;
    end();
    app.log.warn({ err: error }, "no worker was woken");
  });
};

/** `name`: of the worker, for /metrics. */
export const wakeable = (name: string) => {
  const workerOf = perApp(name, () => {
    const worker: { wake: Wake | null } = { wake: null };
    return { worker, entries: () => (worker.wake ? 1 : 0) };
  });
  return {
    /** The worker is here; gives the function that ends this. */
    attach(app: App, wake: Wake): () => void {
      const { worker } = workerOf(app);
      worker.wake = wake;
      return () => void (worker.wake = null);
    },
    /** Wakes the worker; null: there is none in this process. */
    wakeOf: (app: App): Wake | null => workerOf(app).worker.wake,
  };
};
