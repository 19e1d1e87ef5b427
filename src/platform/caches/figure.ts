// A number that /metrics shows among what is in memory: what this process works on, or what waits in the database.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";

/** Gives the function that sets how it is counted. */
export const figure = (name: string) => {
  const counterOf = perApp(name, () => {
    const counter = { count: () => 0 };
    return { counter, entries: () => counter.count() };
  });
  return (app: App, count: () => number): void => {
    counterOf(app).counter.count = count;
  };
};

/** Reads a figure from the database now and then, where somebody may look at it. */
export const watchFigure = (
  app: App,
  show: (app: App, count: () => number) => void,
  read: () => Promise<number>,
  everyMs: number,
): NodeJS.Timeout | undefined => {
  if (app.config.http.metricsToken === null) return undefined;
  const look = (): void => {
    read().then(
      (count) => show(app, () => count),
      (error: unknown) => app.log.warn({ err: error }, "what waits cannot be counted"),
    );
  };
  look();
  return setInterval(look, everyMs).unref();
};
