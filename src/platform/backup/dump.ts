// The database as entries of an archive: every table by COPY, all under one snapshot, so that they belong together
// while the server writes on.

import type { ReservedSql } from "postgres";
import type { ArchiveWriter } from "./archive.ts";
import { selectMigrations, selectSequences, selectTables } from "./queries.ts";
import type { Table } from "./queries.ts";
import type { Bytes } from "./sealed.ts";

/** What an entry has at most, except where a single row is longer. */
const PART_BYTES = 1024 * 1024;

export const tableName = ({ schema, name }: Table): string => `"${schema}"."${name}"`;
export const columnList = ({ columns }: Table): string =>
  columns.map((name) => `"${name}"`).join(", ");

/** The same text on every server, however it is set up. */
export const PLAIN_TEXT = "SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';";

/** A backup of a large server takes hours. */
export const UNLIMITED =
  "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;";

export const beginSnapshot = async (connection: ReservedSql): Promise<void> => {
  await connection.unsafe(UNLIMITED + PLAIN_TEXT);
  await connection.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
};

export type Contents = { migrations: string[]; tables: Table[] };

/** Of the snapshot. */
export const readContents = async (connection: ReservedSql): Promise<Contents> => ({
  migrations: await selectMigrations(connection),
  tables: await selectTables(connection),
});

/** `database/TABLE/000000.copy` and so on: each has whole rows, in the text format of COPY. */
const dumpTable = async (
  connection: ReservedSql,
  table: Table,
  archive: ArchiveWriter,
  onProgress: (bytes: number) => void,
): Promise<void> => {
  const rows = connection
    .unsafe(`COPY ${tableName(table)} (${columnList(table)}) TO STDOUT`)
    .readable() as unknown as Promise<Bytes>;
  let waiting: Buffer[] = [];
  let bytes = 0;
  let part = 0;
  const flush = async () => {
    const name = `database/${table.schema}.${table.name}/${String(part++).padStart(6, "0")}.copy`;
    await archive.add(name, Buffer.concat(waiting));
    onProgress(bytes);
    waiting = [];
    bytes = 0;
  };
  for await (const row of await rows) {
    // The driver uses its buffer again.
    waiting.push(Buffer.from(row));
    bytes += row.length;
    if (bytes >= PART_BYTES) await flush();
  }
  if (bytes > 0) await flush();
};

/** All tables, and where their sequences are. */
export const dumpTables = async (
  connection: ReservedSql,
  tables: Table[],
  archive: ArchiveWriter,
  onProgress: (bytes: number) => void,
): Promise<void> => {
  for (const table of tables) await dumpTable(connection, table, archive, onProgress);
  // Not of the snapshot, and never behind it.
  await archive.add("sequences.json", JSON.stringify(await selectSequences(connection)));
};
