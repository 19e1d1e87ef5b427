// What a process holds in memory, in one place: every cache, queue, batcher and single-flight is
// registered here with its figures, and the memory for caches (CACHE_MB) is shared out. Nothing else
// may hold what belongs to an App (docs/decisions/0019-caches.md).

import { baseApp } from "../app.ts";
import type { App } from "../app.ts";

export type Held = {
  /** What is in it; of a queue or a single-flight, what waits or runs. */
  entries(): number;
  /** About, with what is made of the entries. */
  bytes?(): number;
  hits?: number;
  misses?: number;
  /** Takes out whatever can be read again. */
  clear?(): void;
  /** Called every AGE_MS: what was here at the last call but one goes. */
  age?(): void;
};

export type Figures = {
  name: string;
  entries: number;
  bytes: number;
  /** 0: bounded by something else than memory. */
  maxBytes: number;
  hits: number;
  misses: number;
};

export type Definition<T extends Held> = { name: string; make: (app: App) => T };

/** So an entry lives a minute at most, should an invalidation be missing; a read asks no clock. */
const AGE_MS = 30_000;

export type Caches = ReturnType<typeof createCaches>;

/** `shares`: hundredths of the memory by name. A cache without a share is refused. */
export const createCaches = (megabytes: number, shares: Readonly<Record<string, number>>) => {
  const held = new Map<Definition<never>, Held>();
  const byName = new Map<string, Held>();
  const age = () => {
    for (const one of byName.values()) one.age?.();
  };
  const timer = setInterval(age, AGE_MS).unref();
  const budget = (name: string): number => {
    const share = shares[name];
    if (share === undefined) throw new Error(`The cache "${name}" has no share of the memory`);
    return Math.floor((share * megabytes * 1024 * 1024) / 100);
  };
  const register = <T extends Held>(name: string, one: T): T => {
    if (byName.has(name)) throw new Error(`Two things in memory are called "${name}"`);
    byName.set(name, one);
    return one;
  };
  return {
    /** Bytes that the cache of this name may take. */
    budget,
    register,
    /** The one of this App, made at the first call. */
    use<T extends Held>(definition: Definition<T>, app: App): T {
      const present = held.get(definition as never);
      if (present) return present as T;
      const made = register(definition.name, definition.make(baseApp(app)));
      held.set(definition as never, made);
      return made;
    },
    figures: (): Figures[] =>
      [...byName].map(([name, one]) => ({
        name,
        entries: one.entries(),
        bytes: one.bytes?.() ?? 0,
        maxBytes: shares[name] === undefined ? 0 : budget(name),
        hits: one.hits ?? 0,
        misses: one.misses ?? 0,
      })),
    clear(): void {
      for (const one of byName.values()) one.clear?.();
    },
    age,
    close: () => clearInterval(timer),
  };
};

/** Something of which each App has its own, made at the first call. */
export const perApp = <T extends Held>(name: string, make: (app: App) => T): ((app: App) => T) => {
  const definition = { name, make };
  return (app) => app.caches.use(definition, app);
};
