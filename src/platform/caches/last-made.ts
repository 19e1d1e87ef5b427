// What is dear to make of several things, made anew only when one of them is another.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";
import { sizeOf } from "./size.ts";

const areSame = <S extends object>(one: S, other: S): boolean =>
  (Object.keys(one) as (keyof S)[]).every((name) => one[name] === other[name]);

/** `make` of the sources, or what it gave the last time, if each of them is the same object or value. */
export const lastMade = <S extends object, T>(
  name: string,
  make: (app: App, sources: S) => T,
): ((app: App, sources: S) => T) => {
  const lastOf = perApp(name, () => {
    const last: { made: { sources: S; value: T } | null } = { made: null };
    return {
      last,
      entries: () => (last.made ? 1 : 0),
      bytes: () => (last.made ? sizeOf(last.made.value) : 0),
      clear: () => void (last.made = null),
    };
  });
  return (app, sources) => {
    const { last } = lastOf(app);
    if (last.made && areSame(last.made.sources, sources)) return last.made.value;
    const value = make(app, sources);
    last.made = { sources, value };
    return value;
  };
};
