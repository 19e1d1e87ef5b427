// A recipe creates the records that a row needs and returns how to call it.

import type { Cast } from "./cast.ts";
import type { Call } from "./checks.ts";

export type Recipe = (cast: Cast) => Call | Promise<Call>;
/** Recipes by "METHOD /path" as in the contract. */
export type Recipes = Record<string, Recipe>;

export const plain: Recipe = () => ({});

/** Makes three of something, one after another. */
export const three = async <T>(make: (index: number) => Promise<T>): Promise<T[]> => {
  const items: T[] = [];
  for (const index of [1, 2, 3]) items.push(await make(index));
  return items;
};

let marks = 0;
/** Returns a word that has not been used before. */
export const fresh = (stem: string): string => `${stem}${(marks += 1)}`;
