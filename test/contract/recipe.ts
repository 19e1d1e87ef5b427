// A recipe makes the records that a row wants and says how to call it.

import type { Cast } from "./cast.ts";
import type { Call } from "./checks.ts";

export type Recipe = (cast: Cast) => Call | Promise<Call>;
/** "METHOD /path" as the contract writes it → how it is called. */
export type Recipes = Record<string, Recipe>;

export const plain: Recipe = () => ({});

/** Makes three of a kind, one after the other. */
export const three = async <T>(make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  for (const index of [1, 2, 3]) made.push(await make(index));
  return made;
};

let marks = 0;
/** A word that nobody has used. */
export const fresh = (stem: string): string => `${stem}${(marks += 1)}`;
