// The columns that the mapping names, by what becomes of them.

import { NEWER_COLUMNS, NEWER_TABLES } from "./mapping-newer.ts";
import { MAPPING } from "./mapping.ts";
import type { TableMapping } from "./mapping.ts";

const words = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");

/** Of a table of any version that is known. */
export const mappingOf = (table: string): TableMapping | undefined =>
  MAPPING[table] ?? NEWER_TABLES[table];

/** Columns that every version has that can be read. */
export const takenOf = (table: string): string[] => words(MAPPING[table]?.take);

/** Columns that newer versions have. */
export const newerOf = (table: string): string[] => [
  ...words(NEWER_TABLES[table]?.take),
  ...words(NEWER_COLUMNS[table]?.take),
];

/** Columns that a version of Mastodon may have; `*`: whichever. */
export const knownOf = (table: string): string[] => {
  const { take, leave } = mappingOf(table) ?? { take: "", leave: {} };
  return [
    ...words(take),
    ...Object.keys(leave),
    ...newerOf(table),
    ...Object.keys(NEWER_COLUMNS[table]?.leave ?? {}),
  ];
};
