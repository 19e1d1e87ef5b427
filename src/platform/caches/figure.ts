// A number that /metrics shows among what is in memory: what this process works on.

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
