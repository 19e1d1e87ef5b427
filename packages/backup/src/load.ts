// Loads the entries of an archive into an empty database: first the schema, by the migrations that the backup had, then
// the rows, then foreign keys and indexes, which are faster to build and check at once.

import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ReservedSql } from "postgres";
import { ConfigError } from "./uses.ts";
import { columnList, PLAIN_TEXT, tableName, UNLIMITED } from "./dump.ts";
import {
  freeAllJobs,
  selectForeignKeys,
  selectIndexes,
  selectTables,
  setSequence,
} from "./queries.ts";
import type { Detour, Sequence, Table } from "./queries.ts";
import type { Bytes } from "./sealed.ts";

const fullName = ({ schema, name }: Table): string => `${schema}.${name}`;

/** Refuses a backup with tables or columns that this version's schema lacks, such as those of another job queue. */
const checkTables = (tables: Table[], present: Table[]): void => {
  const known = new Map(present.map((table) => [fullName(table), new Set(table.columns)]));
  for (const table of tables) {
    const missing = table.columns.find((name) => !known.get(fullName(table))?.has(name));
    if (missing !== undefined) {
      throw new ConfigError(
        `This version of Rookery has no place for ${fullName(table)}.${missing} of the backup: restore it with the version that made it, then update.`,
      );
    }
  }
};

const runAll = async (connection: ReservedSql, statements: string[]): Promise<void> => {
  for (const statement of statements) await connection.unsafe(statement);
};

export type Load = {
  /** Loads rows of a table; all entries of a table come one after the other. */
  rows(table: Table, content: Bytes): Promise<void>;
  sequences(sequences: Sequence[]): Promise<void>;
  /** Makes foreign keys and indexes again; throws when rows contradict them. */
  complete(): Promise<void>;
};

export const startLoad = async (connection: ReservedSql, tables: Table[]): Promise<Load> => {
  await connection.unsafe(UNLIMITED + PLAIN_TEXT);
  await connection.unsafe("SET maintenance_work_mem = '128MB'");
  const present = await selectTables(connection);
  checkTables(tables, present);
  const indexes: Detour[] = await selectIndexes(connection);
  const keys: Detour[] = await selectForeignKeys(connection);
  await connection.unsafe(`TRUNCATE ${present.map(tableName).join(", ")}`);
  await runAll(
    connection,
    [...keys, ...indexes].map(({ drop }) => drop),
  );
  const triggers = (act: string) =>
    present.map((table) => `ALTER TABLE ${tableName(table)} ${act} TRIGGER USER`);
  await runAll(connection, triggers("DISABLE"));

  let open: { name: string; into: Writable } | null = null;
  const close = async () => {
    if (!open) return;
    open.into.end();
    await finished(open.into);
    open = null;
  };
  return {
    async rows(table, content) {
      const name = tableName(table);
      if (open?.name !== name) {
        await close();
        const into = await connection
          .unsafe(`COPY ${name} (${columnList(table)}) FROM STDIN`)
          .writable();
        open = { name, into };
      }
      for await (const chunk of content) {
        if (!open.into.write(chunk)) await once(open.into, "drain");
      }
    },
    async sequences(sequences) {
      await close();
      for (const sequence of sequences) await setSequence(connection, sequence);
    },
    async complete() {
      await close();
      await runAll(connection, triggers("ENABLE"));
      await runAll(
        connection,
        [...indexes, ...keys].map(({ make }) => make),
      );
      await freeAllJobs(connection);
      await connection.unsafe("ANALYZE");
    },
  };
};
