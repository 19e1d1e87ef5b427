// All SQL of the filters slice. Writes invalidate `filters:ACCOUNT` (statuses/cache.ts).

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db, Fragment } from "../../../platform/db/index.ts";
import { hasRows, onlyRow, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import type { FilterAction, FilterRow } from "./tables.ts";

const select = (db: Db, where: Fragment) => db<FilterRow[]>`
  SELECT
    f.id, f.account_id, f.title, f.context, f.action, f.expires_at,
    coalesce(k.list, '[]') AS keywords,
    coalesce(s.list, '[]') AS statuses
  FROM filters f
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'id', id::text, 'keyword', keyword, 'whole_word', whole_word, 'wildcards', wildcards
    ) ORDER BY id) AS list
    FROM filter_keywords WHERE filter_id = f.id
  ) k ON true
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('id', id::text, 'status_id', status_id::text) ORDER BY id) AS list
    FROM filter_statuses WHERE filter_id = f.id
  ) s ON true
  WHERE ${where}
  ORDER BY f.id
`;

export const selectFilters = (db: Db, accountId: string) =>
  select(db, db`f.account_id = ${accountId}`);

/** Selects the filters of all of these people. */
export const selectFiltersOf = (db: Db, accountIds: string[]) =>
  select(db, db`f.account_id = ANY(${accountIds}::bigint[])`);

export const selectFilter = async (db: Db, accountId: string, id: string) =>
  (await select(db, db`f.account_id = ${accountId} AND f.id = ${id}`))[0] ?? null;

/** Selects the filter of a keyword or filtered status, if it is this person's. */
export const selectFilterOfPart = async (
  db: Db,
  table: "filter_keywords" | "filter_statuses",
  accountId: string,
  id: string,
) => {
  const of = db`(SELECT filter_id FROM ${db(table)} WHERE id = ${id})`;
  return (await select(db, db`f.account_id = ${accountId} AND f.id = ${of}`))[0] ?? null;
};

type FilterCount = { filters: number; keywords: number; letters: number; wildcards: number };

/** The last three are of all keywords: their number, their length, and how many have a wildcard between letters. */
const counts = (db: Db) => db`
  count(DISTINCT f.id)::int AS filters, count(k.id)::int AS keywords,
  coalesce(sum(length(k.keyword)), 0)::int AS letters,
  count(k.id) FILTER (WHERE k.wildcards AND btrim(k.keyword, '*') LIKE '%*%')::int AS wildcards
`;

export const countFilters = (db: Db, accountId: string) =>
  onlyRow(db<FilterCount[]>`
    SELECT ${counts(db)}
    FROM filters f LEFT JOIN filter_keywords k ON k.filter_id = f.id
    WHERE f.account_id = ${accountId}
  `);

/** Counts the filters of each local person who has any. */
export const countFiltersOfAll = (db: Db) => db<(FilterCount & { username: string })[]>`
  SELECT a.username, ${counts(db)}
  FROM filters f JOIN accounts a ON a.id = f.account_id
  LEFT JOIN filter_keywords k ON k.filter_id = f.id
  GROUP BY a.id ORDER BY a.username
`;

export type FilterValues = {
  title: string;
  context: string[];
  action: FilterAction;
  expires_at: Date | null;
};

export const insertFilter = async (db: Db, accountId: string, values: FilterValues) => {
  const id = await onlyValue(db<{ id: string }[]>`
    INSERT INTO filters ${db({ account_id: accountId, ...values })} RETURNING id
  `);
  invalidate(db, `filters:${accountId}`);
  return id;
};

/** Returns false unless it is this person's. */
export const lockFilter = (db: Db, accountId: string, id: string): Promise<boolean> =>
  hasRows(db`SELECT FROM filters WHERE id = ${id} AND account_id = ${accountId} FOR UPDATE`);

export const updateFilter = async (db: Db, accountId: string, id: string, values: FilterValues) => {
  await db`
    UPDATE filters SET ${db(values)} WHERE id = ${id} AND account_id = ${accountId}
  `;
  invalidate(db, `filters:${accountId}`);
};

export const deleteFilter = async (db: Db, accountId: string, id: string): Promise<boolean> => {
  const isDeleted = await hasRows(
    db`DELETE FROM filters WHERE id = ${id} AND account_id = ${accountId}`,
  );
  invalidate(db, `filters:${accountId}`);
  return isDeleted;
};

export type KeywordValues = { keyword: string; whole_word: boolean; wildcards: boolean };

export const insertKeywords = async (
  db: Db,
  accountId: string,
  filterId: string,
  keywords: KeywordValues[],
): Promise<string[]> => {
  if (keywords.length === 0) return [];
  const ids = await valuesOf(db<{ id: string }[]>`
    INSERT INTO filter_keywords (filter_id, keyword, whole_word, wildcards)
    SELECT ${filterId}::bigint, keyword, whole_word, wildcards
    FROM jsonb_to_recordset(${db.json(keywords)})
      AS k (keyword text, whole_word boolean, wildcards boolean)
    RETURNING id
  `);
  invalidate(db, `filters:${accountId}`);
  return ids;
};

export const updateKeywords = async (
  db: Db,
  accountId: string,
  filterId: string,
  keywords: (KeywordValues & { id: string })[],
): Promise<void> => {
  if (keywords.length === 0) return;
  await db`
    UPDATE filter_keywords o
    SET keyword = k.keyword, whole_word = k.whole_word, wildcards = k.wildcards
    FROM jsonb_to_recordset(${db.json(keywords)})
      AS k (id bigint, keyword text, whole_word boolean, wildcards boolean)
    WHERE o.id = k.id AND o.filter_id = ${filterId}
  `;
  invalidate(db, `filters:${accountId}`);
};

export const deleteKeywords = async (
  db: Db,
  accountId: string,
  filterId: string,
  ids: string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await db`
    DELETE FROM filter_keywords WHERE filter_id = ${filterId} AND id = ANY(${ids}::bigint[])
  `;
  invalidate(db, `filters:${accountId}`);
};

/** Returns null when the filter has the status already. */
export const insertFilterStatus = async (
  db: Db,
  accountId: string,
  filterId: string,
  statusId: string,
): Promise<string | null> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO filter_statuses (filter_id, status_id) VALUES (${filterId}, ${statusId})
    ON CONFLICT (filter_id, status_id) DO NOTHING RETURNING id
  `;
  invalidate(db, `filters:${accountId}`);
  return row?.id ?? null;
};

export const deleteFilterStatus = async (db: Db, accountId: string, id: string): Promise<void> => {
  await db`DELETE FROM filter_statuses WHERE id = ${id}`;
  invalidate(db, `filters:${accountId}`);
};
