// Counts what happens too often to write each time: added to the figures of the day every few seconds. What a process
// has counted since then is lost when it is killed.

import type { App } from "../../../platform/app.ts";
import { addToFigures } from "./queries.ts";

const EVERY_MS = 10_000;

export type DayCounts = {
  count(key: string): void;
  /** `isLast`: whatever was counted since the last time, however short that is. */
  flush(isLast: boolean): Promise<void>;
};

export const createDayCounts = (app: App): DayCounts => {
  let counts = new Map<string, number>();
  let flushedAt = 0;
  return {
    count: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    async flush(isLast) {
      const now = app.clock.now();
      if (counts.size === 0 || (!isLast && now.getTime() - flushedAt < EVERY_MS)) return;
      const rows = Array.from(counts, ([key, value]) => ({ key, value }));
      counts = new Map();
      flushedAt = now.getTime();
      await addToFigures(app.sql, rows, now).catch((error: unknown) => {
        for (const { key, value } of rows) counts.set(key, (counts.get(key) ?? 0) + value);
        app.log.warn({ err: error }, "figures are not stored yet");
      });
    },
  };
};
