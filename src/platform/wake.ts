// A worker that is woken by a call while it is in this process.

import type { App } from "./app.ts";
import { perApp } from "./caches/index.ts";

export type Wake = () => void;

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
