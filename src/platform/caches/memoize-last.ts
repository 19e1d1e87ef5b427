// Memoizes the last result of an expensive function of several values.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";
import { sizeOf } from "./bounded.ts";

const areSame = <S extends object>(object: S, other: S): boolean =>
  (Object.keys(object) as (keyof S)[]).every((name) => object[name] === other[name]);

/** Returns `make` of the sources, and the last result again while each source is the same object or value as before. */
export const memoizeLast = <S extends object, T>(
  name: string,
  make: (app: App, sources: S) => T,
): ((app: App, sources: S) => T) => {
  const lastOf = perApp(name, () => {
    const last: { result: { sources: S; value: T } | null } = { result: null };
    return {
      last,
      entries: () => (last.result ? 1 : 0),
      bytes: () => (last.result ? sizeOf(last.result.value) : 0),
      clear: () => void (last.result = null),
    };
  });
  return (app, sources) => {
    const { last } = lastOf(app);
    if (last.result && areSame(last.result.sources, sources)) return last.result.value;
    const value = make(app, sources);
    last.result = { sources, value };
    return value;
  };
};
