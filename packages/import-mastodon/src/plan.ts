// Says before anything is written what an import would do: rows by target table, what has no place here, how long it
// takes and what disk it needs.

import type { Sql } from "./uses.ts";
import { knownOf, mappingOf } from "./columns.ts";
import { bytesOf } from "./old-media.ts";
import type { OldMedia } from "./old-media.ts";
import {
  selectDatabaseBytes,
  selectLeft,
  selectOldColumns,
  selectUnknownSettings,
} from "./queries-source.ts";
import type { Column } from "./queries-source.ts";
import { SETTINGS } from "./site.ts";

export type Plan = {
  taken: { from: string; into: string; rows: number }[];
  /** What people lose, with the number of rows. */
  lost: { what: string; rows: number }[];
  /** Tables and columns of a version that this one does not know. */
  unknown: { what: string; rows: number }[];
  rows: number;
  seconds: number;
  databaseBytes: number;
  /** Bytes of files that are copied. */
  fileBytes: number;
};

/** Rows per second on two cores that do other work, too; docs/design/moving.md. */
const RATE = 10_000;

/** Factor by which the data grows here, with indexes, rendered texts and the search index. */
const GROWTH = 1.5;

const unknownIn = (columns: Column[], table: string): string[] => {
  const known = knownOf(table);
  if (known.includes("*")) return [];
  return columns.flatMap(({ table: of, name }) =>
    of === table && !known.includes(name) ? name : [],
  );
};

type Lists = Pick<Plan, "taken" | "lost" | "unknown">;

const planTable = async (old: Sql, columns: Column[], table: string, lists: Lists) => {
  const mapping = mappingOf(table);
  const { into = null, loss = null, losses = {} } = mapping ?? {};
  const more = mapping ? unknownIn(columns, table) : [];
  const newer = more.map((name): [string, string] => [name, `o."${name}" IS NOT NULL`]);
  const count = await selectLeft(old, table, [...Object.entries(losses), ...newer]);
  const rows = Number(count["all"]);
  if (!mapping) lists.unknown.push({ what: `the table ${table}`, rows });
  else if (into !== null && mapping.take !== "") lists.taken.push({ from: table, into, rows });
  if (loss !== null) lists.lost.push({ what: loss, rows });
  for (const what of Object.keys(losses)) lists.lost.push({ what, rows: Number(count[what]) });
  for (const name of more)
    lists.unknown.push({ what: `the column ${table}.${name}`, rows: Number(count[name]) });
};

const some = <T extends { rows: number }>(items: T[]): T[] => items.filter(({ rows }) => rows > 0);

/** `media` is null where nobody asks for its size, which takes a while. */
export const planImport = async (old: Sql, media: OldMedia | null): Promise<Plan> => {
  const columns = await selectOldColumns(old);
  const lists: Lists = { taken: [], lost: [], unknown: [] };
  for (const table of new Set(columns.map(({ table: name }) => name)))
    await planTable(old, columns, table, lists);
  for (const name of await selectUnknownSettings(old, Object.keys(SETTINGS)))
    lists.lost.push({ what: `the setting ${name}`, rows: 1 });
  const rows = lists.taken.reduce((sum, table) => sum + table.rows, 0);
  return {
    taken: some(lists.taken),
    lost: some(lists.lost),
    unknown: some(lists.unknown),
    rows,
    seconds: Math.ceil(rows / RATE),
    databaseBytes: Math.round((await selectDatabaseBytes(old)) * GROWTH),
    fileBytes: media ? await bytesOf(media) : 0,
  };
};
