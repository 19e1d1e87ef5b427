// All SQL of the domain-lists slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import type { DomainEntry } from "../../base/blocklists/csv.ts";
import type { ChangeRow, DomainListRow, ListedEntry, OwnBlock } from "./tables.ts";

export const selectLists = (db: Db) => db<DomainListRow[]>`SELECT * FROM domain_lists ORDER BY id`;

export const selectList = (db: Db, id: string): Promise<DomainListRow | null> =>
  firstRow(db<DomainListRow[]>`SELECT * FROM domain_lists WHERE id = ${id}`);

/** Selects a list that nobody else changes before the transaction ends. */
export const lockList = (db: Db, id: string): Promise<DomainListRow | null> =>
  firstRow(db<DomainListRow[]>`SELECT * FROM domain_lists WHERE id = ${id} FOR UPDATE`);

export const selectDueLists = (db: Db, now: Date) => db<{ id: string }[]>`
  SELECT id FROM domain_lists WHERE due_at <= ${now} ORDER BY due_at LIMIT 100
`;

type NewList = Pick<
  DomainListRow,
  "url" | "title" | "severities" | "retract" | "due_at" | "created_at"
>;

export const insertList = async (db: Db, row: NewList): Promise<string> => {
  const values = { ...row, severities: db.json(row.severities) };
  return onlyValue(db<{ id: string }[]>`
    INSERT INTO domain_lists ${db(values as never)} RETURNING id
  `);
};

export const updateList = (
  db: Db,
  id: string,
  change: Partial<
    Pick<
      DomainListRow,
      "title" | "retract" | "fault" | "etag" | "fetched_at" | "due_at" | "entries"
    >
  >,
) => db`UPDATE domain_lists SET ${db(change as never)} WHERE id = ${id}`;

export const updateSeverities = (db: Db, id: string, severities: DomainListRow["severities"]) => db`
  UPDATE domain_lists SET severities = ${db.json(severities)} WHERE id = ${id}
`;

export const deleteList = (db: Db, id: string) => db`DELETE FROM domain_lists WHERE id = ${id}`;

/** Replaces what was read before. */
export const replaceEntries = async (db: Db, listId: string, entries: DomainEntry[]) => {
  await db`DELETE FROM domain_list_entries WHERE list_id = ${listId}`;
  await db`
    INSERT INTO domain_list_entries
    SELECT ${listId}::bigint, domain, severity, reject_media, reject_reports, public_comment, obfuscate
    FROM jsonb_to_recordset(${db.json(entries)}) AS e (domain text, severity text, reject_media boolean,
      reject_reports boolean, public_comment text, obfuscate boolean)
  `;
};

export const selectEntries = (db: Db) => db<ListedEntry[]>`SELECT * FROM domain_list_entries`;

export const selectExceptions = (db: Db): Promise<string[]> =>
  valuesOf(db<{ domain: string }[]>`
    SELECT domain FROM domain_list_exceptions ORDER BY domain
  `);

export const insertException = (db: Db, domain: string, now: Date) => db`
  INSERT INTO domain_list_exceptions (domain, created_at) VALUES (${domain}, ${now})
  ON CONFLICT (domain) DO NOTHING
`;

export const deleteException = (db: Db, domain: string): Promise<boolean> =>
  hasRows(db`DELETE FROM domain_list_exceptions WHERE domain = ${domain}`);

export const selectOwn = (db: Db) => db<OwnBlock[]>`
  SELECT block_id, applied, retract FROM domain_list_blocks
`;

export const upsertOwn = (db: Db, { block_id: id, applied, retract }: OwnBlock) => db`
  INSERT INTO domain_list_blocks (block_id, applied, retract)
  VALUES (${id}, ${db.json(applied)}, ${retract})
  ON CONFLICT (block_id) DO UPDATE SET applied = excluded.applied, retract = excluded.retract
`;

/** Updates the blocks that a list has. */
export const updateRetract = (db: Db, listId: string, retract: boolean) => db`
  UPDATE domain_list_blocks o SET retract = ${retract}
  FROM domain_blocks b JOIN domain_list_entries e ON e.domain = lower(b.domain::text)
  WHERE o.block_id = b.id AND e.list_id = ${listId}
`;

export const insertChange = (db: Db, change: Omit<ChangeRow, "id">) => db`
  INSERT INTO domain_list_changes ${db(change as never)}
`;

export const selectChanges = (db: Db, since: Date, limit: number) => db<ChangeRow[]>`
  SELECT * FROM domain_list_changes WHERE created_at > ${since} ORDER BY created_at DESC, id DESC LIMIT ${limit}
`;
