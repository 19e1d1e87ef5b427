// Counts events that are too frequent to be written each time: they are added to the figures of the day every few
// seconds. Counts since then are lost when a process is killed.

import type { App } from "../../../platform/app.ts";
import { addToFigures } from "./queries.ts";

const EVERY_MS = 10_000;

export type DayCounts = {
  count(key: string): void;
  /** Writes what was counted; with `isLast` however short the time since the last write is. */
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
