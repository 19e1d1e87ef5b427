// What each App has in memory of its own, made when it is first asked for and kept in its register (register.ts).

import { baseApp } from "../app.ts";
import type { App } from "../app.ts";
import type { InMemory } from "./register.ts";

/** Something in memory that each App has its own instance of, created at the first call. */
export const perApp = <T extends InMemory>(
  name: string,
  make: (app: App) => T,
): ((app: App) => T) => {
  const definition = { name, make };
  return (app) => app.caches.find(definition) ?? app.caches.add(definition, make(baseApp(app)));
};

/**
 * A number that /metrics shows among what is in memory: what this process works on. Gives the function that sets how it
 * is counted.
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
