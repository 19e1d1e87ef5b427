// Writes the database as entries of an archive: every table by COPY, all under one snapshot, so that they are
// consistent while the server writes.

import type { ReservedSql } from "postgres";
import type { ArchiveWriter } from "./archive.ts";
import { selectMigrations, selectSequences, selectTables } from "./queries.ts";
import type { Table } from "./queries.ts";
import type { Bytes } from "./sealed.ts";

/** Bytes of rows in one entry; only a single row that is longer exceeds it. */
const PART_BYTES = 1024 * 1024;

export const tableName = ({ schema, name }: Table): string => `"${schema}"."${name}"`;
export const columnList = ({ columns }: Table): string =>
  columns.map((name) => `"${name}"`).join(", ");

/** Makes COPY write the same text on every server, whatever its settings. */
export const PLAIN_TEXT = "SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres';";

/** Removes the timeouts, because a backup of a large server takes hours. */
export const UNLIMITED =
  "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;";

export const beginSnapshot = async (connection: ReservedSql): Promise<void> => {
  await connection.unsafe(UNLIMITED + PLAIN_TEXT);
  await connection.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
};

export type Contents = { migrations: string[]; tables: Table[] };

/** Describes the tables and migrations that the snapshot sees. */
export const readContents = async (connection: ReservedSql): Promise<Contents> => ({
  migrations: await selectMigrations(connection),
  tables: await selectTables(connection),
});

/** Writes a table as `database/TABLE/000000.copy` and so on; each entry has whole rows in the text format of COPY. */
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
    // The driver reuses its buffer, so each row is copied.
    waiting.push(Buffer.from(row));
    bytes += row.length;
    if (bytes >= PART_BYTES) await flush();
  }
  if (bytes > 0) await flush();
};

/** Writes all tables, and the values of their sequences. */
export const dumpTables = async (
  connection: ReservedSql,
  tables: Table[],
  archive: ArchiveWriter,
  onProgress: (bytes: number) => void,
): Promise<void> => {
  for (const table of tables) await dumpTable(connection, table, archive, onProgress);
  // Sequences are read outside the snapshot, and are never behind it.
  await archive.add("sequences.json", JSON.stringify(await selectSequences(connection)));
};
