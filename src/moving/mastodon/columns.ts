// The columns that the mapping names, by what becomes of them.

import { MAPPING } from "./mapping.ts";
import type { TableMapping } from "./mapping.ts";

const words = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");

/** Columns that every version has that can be read. */
export const takenOf = (table: string): string[] => words(MAPPING[table]?.take);

export const newerOf = (table: string): string[] => words(MAPPING[table]?.newer);

/** Columns that a version of Mastodon may have; `*`: whichever. */
export const knownOf = ({ take, leave, newer }: TableMapping): string[] => [
  ...words(take),
  ...Object.keys(leave),
  ...words(newer),
];
