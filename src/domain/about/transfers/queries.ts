// SQL of imports and their lines.

import { deleteSlice } from "../../../platform/db/delete-older.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import type { ImportEntryRow, ImportRow, Kind, LeftOut, Outcome } from "./tables.ts";

const columns = (
  db: Db,
) => db`id, account_id, kind, file_name, overwrite, state, fault, total, done,
  failed, removed, left_out, created_at, finished_at`;

type NewImport = Pick<
  ImportRow,
  "account_id" | "kind" | "file_name" | "overwrite" | "state" | "total" | "created_at"
> & { source?: { file: string; lists: boolean }; fault?: string; finished_at?: Date };

export const insertImport = async (db: Db, row: NewImport): Promise<string> => {
  const [inserted] = await db<
    { id: string }[]
  >`INSERT INTO imports ${db(row as never)} RETURNING id`;
  return inserted!.id;
};

/** `first` is the number of the first one. */
export const insertEntries = (db: Db, id: string, entries: object[], now: Date, first = 0) => db`
  INSERT INTO import_rows (import_id, n, data, due_at)
  SELECT ${id}::bigint, ${first}::int + ordinality - 1, value, ${now}::timestamptz
  FROM jsonb_array_elements(${db.json(entries as never)}) WITH ORDINALITY
`;

export const selectImports = (db: Db, accountId: string, limit: number) => db<ImportRow[]>`
  SELECT ${columns(db)} FROM imports WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${limit}
`;

export const selectImport = (db: Db, id: string): Promise<ImportRow | null> =>
  firstRow(db<ImportRow[]>`SELECT ${columns(db)} FROM imports WHERE id = ${id}`);

export const countUnfinished = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM imports WHERE account_id = ${accountId} AND state <> 'done'
  `);

/** Returns false when it is in another state than `from`. */
export const updateState = (
  db: Db,
  id: string,
  from: ImportRow["state"],
  to: ImportRow["state"],
  finishedAt: Date | null = null,
): Promise<boolean> =>
  hasRows(db`
    UPDATE imports SET state = ${to}, finished_at = ${finishedAt} WHERE id = ${id} AND state = ${from}
  `);

export const deleteImport = (db: Db, id: string) => db`DELETE FROM imports WHERE id = ${id}`;

/** Selects the data of all lines. */
export const selectData = (db: Db, id: string) => db<{ data: object }[]>`
  SELECT data FROM import_rows WHERE import_id = ${id}
`;

export const selectDue = (db: Db, id: string, now: Date, limit: number) => db<ImportEntryRow[]>`
  SELECT n, data, tries FROM import_rows
  WHERE import_id = ${id} AND state = 'waiting' AND due_at <= ${now} ORDER BY due_at, n LIMIT ${limit}
`;

/** Selects when the next one is due; null where nothing waits. */
export const selectNextDue = (db: Db, id: string): Promise<Date | null> =>
  firstValue(db<{ due_at: Date | null }[]>`
    SELECT min(due_at) AS due_at FROM import_rows WHERE import_id = ${id} AND state = 'waiting'
  `);

/** Writes the outcomes of lines, and the counts. */
export const updateEntries = async (db: Db, id: string, outcomes: Outcome[]): Promise<void> => {
  const rows = outcomes.map((outcome) => ({
    n: outcome.n,
    state: outcome.state,
    target: outcome.state === "waiting" ? null : (outcome.target ?? null),
    fault: outcome.state === "failed" ? outcome.fault : null,
    due_at: outcome.state === "waiting" ? outcome.dueAt : null,
  }));
  await db`
    WITH changed AS (
      UPDATE import_rows r SET state = g.state, target = g.target, fault = g.fault,
        tries = r.tries + 1, due_at = coalesce(g.due_at, r.due_at)
      FROM jsonb_to_recordset(${db.json(rows as never)})
        AS g (n int, state text, target text, fault text, due_at timestamptz)
      WHERE r.import_id = ${id} AND r.n = g.n AND r.state = 'waiting'
      RETURNING r.state
    )
    UPDATE imports SET done = done + (SELECT count(*) FROM changed WHERE state = 'done'),
      failed = failed + (SELECT count(*) FROM changed WHERE state = 'failed')
    WHERE id = ${id}
  `;
};

export const addRemoved = (db: Db, id: string, count: number) => db`
  UPDATE imports SET removed = removed + ${count} WHERE id = ${id}
`;

/** Deletes lines that succeeded, which have no use once all is over. */
export const deleteDoneEntries = (db: Db, id: string) => db`
  DELETE FROM import_rows WHERE import_id = ${id} AND state <> 'failed'
`;

/** Deletes all lines before an archive is read again. */
export const deleteEntries = (db: Db, id: string) => db`
  DELETE FROM import_rows WHERE import_id = ${id}
`;

/**
 * Stores that the archive was read, so that its posts can be imported. Returns false where it does not exist any more,
 * or was read already.
 */
export const updateUnpacked = (db: Db, id: string, total: number, leftOut: LeftOut) =>
  hasRows(db`
    UPDATE imports SET state = 'running', total = ${total}, left_out = ${db.json(leftOut)}
    WHERE id = ${id} AND state = 'unpacking'
  `);

/** Stores that it ended before anything was imported. */
export const updateFault = (db: Db, id: string, fault: string, at: Date) => db`
  UPDATE imports SET state = 'done', fault = ${fault}, finished_at = ${at} WHERE id = ${id}
`;

/** Stores what its owner is told beside the counts. */
export const updateNote = (db: Db, id: string, fault: string) => db`
  UPDATE imports SET fault = ${fault} WHERE id = ${id}
`;

/** Selects the name of the archive in the folder of uploads. */
export const selectSource = (db: Db, id: string): Promise<string | null> =>
  firstValue(db<{ file: string | null }[]>`
    SELECT source ->> 'file' AS file FROM imports WHERE id = ${id}
  `);

export const updateSource = async (db: Db, id: string, file: string): Promise<void> => {
  await db`UPDATE imports SET source = source || ${db.json({ file })} WHERE id = ${id}`;
};

/** What of an archive is imported in addition to its posts. */
export type Besides = { lists: boolean; settings: boolean };

export const selectBesides = async (db: Db, id: string): Promise<Besides> => {
  const [row] = await db<Besides[]>`
    SELECT coalesce((source -> 'lists')::boolean, false) AS lists,
      coalesce((source -> 'settings')::boolean, false) AS settings
    FROM imports WHERE id = ${id}
  `;
  return row ?? { lists: false, settings: false };
};

/** Selects the status that a post of an archive became; null for none, or a deleted one. */
export const selectImported = (db: Db, accountId: string, hash: Buffer): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    SELECT status_id AS id FROM imported_posts WHERE account_id = ${accountId} AND uri_hash = ${hash}
  `);

export const insertImported = (db: Db, accountId: string, hash: Buffer, statusId: string) => db`
  INSERT INTO imported_posts (account_id, uri_hash, status_id) VALUES (${accountId}, ${hash}, ${statusId})
`;

export type FailedEntry = { n: number; data: object; fault: string };

export const selectFailed = (db: Db, id: string, after: number, limit: number) => db<FailedEntry[]>`
  SELECT n, data, fault FROM import_rows
  WHERE import_id = ${id} AND state = 'failed' AND n > ${after} ORDER BY n LIMIT ${limit}
`;

/** Accepts what the person has and the file has not; `column` names it. */
const notInImport = (db: Db, id: string, column: string) => db`
  NOT EXISTS (SELECT FROM import_rows r
    WHERE r.import_id = ${id} AND r.target = ${db.unsafe(column)}::text)
`;

type Present = (
  db: Db,
  importId: string,
  accountId: string,
  limit: number,
) => PromiseLike<{ key: string }[]>;

const present =
  (table: string, column: string): Present =>
  (db, id, accountId, limit) =>
    db<{ key: string }[]>`
  SELECT t.${db(column)}::text AS key FROM ${db(table)} t
  WHERE t.account_id = ${accountId} AND ${notInImport(db, id, `t.${column}`)} LIMIT ${limit}
`;

const followed: Present = (db, id, accountId, limit) => db<{ key: string }[]>`
  SELECT target_account_id::text AS key FROM (
    SELECT target_account_id FROM follows WHERE account_id = ${accountId}
    UNION ALL SELECT target_account_id FROM follow_requests WHERE account_id = ${accountId}
  ) t WHERE ${notInImport(db, id, "t.target_account_id")} LIMIT ${limit}
`;

/** Makes keys of the form `LIST/ACCOUNT`. */
const listed: Present = (db, id, accountId, limit) => db<{ key: string }[]>`
  SELECT la.list_id || '/' || la.account_id AS key FROM list_accounts la
  WHERE la.owner_id = ${accountId} AND ${notInImport(db, id, "la.list_id || '/' || la.account_id")}
  LIMIT ${limit}
`;

const followedTags: Present = (db, id, accountId, limit) => db<{ key: string }[]>`
  SELECT t.name AS key FROM tag_follows f JOIN tags t ON t.id = f.tag_id
  WHERE f.account_id = ${accountId} AND ${notInImport(db, id, "t.name")} LIMIT ${limit}
`;

const mutedTags: Present = (db, id, accountId, limit) => db<{ key: string }[]>`
  SELECT t.name AS key FROM tag_mutes m JOIN tags t ON t.id = m.tag_id
  WHERE m.account_id = ${accountId} AND m.expires_at IS NULL AND ${notInImport(db, id, "t.name")} LIMIT ${limit}
`;

const PRESENT: Record<Kind, Present> = {
  following: followed,
  blocks: present("blocks", "target_account_id"),
  mutes: present("mutes", "target_account_id"),
  domain_blocks: present("account_domain_blocks", "domain"),
  lists: listed,
  bookmarks: present("bookmarks", "status_id"),
  filters: present("filters", "id"),
  account_notes: present("account_notes", "target_account_id"),
  followed_tags: followedTags,
  muted_tags: mutedTags,
  saved_searches: present("saved_searches", "id"),
};

/** Selects some of what the person has and the file has not. */
export const selectUnwanted = async (
  db: Db,
  { id, kind, account_id: accountId }: { id: string; kind: Kind; account_id: string },
  limit: number,
): Promise<string[]> => [...(await PRESENT[kind](db, id, accountId, limit))].map(({ key }) => key);

/** Deletes a slice of older imports with their lines. */
export const deleteImportsBefore = async (db: Db, before: Date): Promise<boolean> => {
  const condition = db`created_at < ${before} AND state IN ('new', 'done') ORDER BY created_at`;
  return (await deleteSlice(db, "imports", condition)).isMore;
};
