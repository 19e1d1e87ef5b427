// The columns that the mapping names, grouped by what becomes of them.

import { NEWER_COLUMNS, NEWER_TABLES } from "./mapping-newer.ts";
import { MAPPING } from "./mapping.ts";
import type { TableMapping } from "./table-mapping.ts";

const words = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");

/** Returns the mapping of a table of any known version. */
export const mappingOf = (table: string): TableMapping | undefined =>
  MAPPING[table] ?? NEWER_TABLES[table];

/** Returns the columns that are read in every version. */
export const takenOf = (table: string): string[] => words(MAPPING[table]?.take);

/** Returns the columns that are read in newer versions. */
export const newerOf = (table: string): string[] => [
  ...words(NEWER_TABLES[table]?.take),
  ...words(NEWER_COLUMNS[table]?.take),
];

/** Returns the columns that a version of Mastodon may have; `*` stands for any. */
export const knownOf = (table: string): string[] => {
  const { take, leave } = mappingOf(table) ?? { take: "", leave: {} };
  return [
    ...words(take),
    ...Object.keys(leave),
    ...newerOf(table),
    ...Object.keys(NEWER_COLUMNS[table]?.leave ?? {}),
  ];
};
