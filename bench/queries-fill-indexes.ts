// Fills tables without indexes: those that are not needed are dropped before millions of rows are added and made again
// afterwards, which takes a fraction of the time and gives them the size that they have after a REINDEX.

import type { Db, Sql } from "../src/platform/db/index.ts";

const FILLED =
  `statuses conversations mentions statuses_tags media_attachments status_search favourites
  notifications`.split(/\s+/);

type Index = { name: string; definition: string };

/** Selects indexes, except those of constraints and the one that keeps a person from boosting a post twice. */
const selectIndexes = (db: Db) => db<Index[]>`
  SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = ANY(${FILLED}::regclass[]) AND c.relname <> 'statuses_reblog'
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
`;

/** Runs `work` on tables without their indexes. */
export const withoutIndexes = async (db: Db, work: () => Promise<void>): Promise<void> => {
  const indexes = await selectIndexes(db);
  for (const { name } of indexes) await db`DROP INDEX ${db(name)}`;
  await work();
  for (const { definition } of indexes) await (db as Sql).unsafe(definition);
};
