// Objects that each App has in memory, made at the first use and kept in the App's register (register.ts).

import { baseApp } from "../app.ts";
import type { App } from "../app.ts";
import type { InMemory } from "./register.ts";

/** Returns a function that gives each App its own instance, made at the first call. */
export const perApp = <T extends InMemory>(
  name: string,
  make: (app: App) => T,
): ((app: App) => T) => {
  const definition = { name, make };
  return (app) => app.caches.find(definition) ?? app.caches.add(definition, make(baseApp(app)));
};

/**
 * Shows a number of this process among the memory figures of /metrics. Returns the function that sets how it is
 * counted.
 */
export const figure = (name: string) => {
  const counterOf = perApp(name, () => {
    const counter = { count: () => 0 };
    return { counter, entries: () => counter.count() };
  });
  return (app: App, count: () => number): void => {
    counterOf(app).counter.count = count;
  };
};
