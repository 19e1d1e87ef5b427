// Reads what a person has of the tables that archives carry, with names in the place of ids, so that it can be compared
// with what they have on another server.

import assert from "node:assert/strict";
import { CARRIED, FILES } from "./carried.ts";
import type { CarriedRows } from "./carried.ts";
import type { TestApp } from "./harness.ts";

/** Whose row it is, where that is not said by `account_id`; `owned` stands for those of another table. */
const OWNERS: Record<string, string> = {
  accounts: "t.id = $1",
  groups: "t.owner_id = $1",
  list_accounts: "t.owner_id = $1",
  // Who owns a group follows it as its first member.
  follows: `t.account_id = $1
    AND t.target_account_id NOT IN (SELECT id FROM accounts WHERE actor_type = 'Group')`,
  filter_keywords: "t.filter_id IN (SELECT id FROM filters WHERE account_id = $1)",
  filter_statuses: "t.filter_id IN (SELECT id FROM filters WHERE account_id = $1)",
  collection_items: "t.collection_id IN (SELECT id FROM collections WHERE account_id = $1)",
};

/** What names a row of these tables everywhere. */
const NAMES: Record<string, string> = {
  accounts: `CASE WHEN x.id = $1 THEN 'the person' WHEN x.actor_type = 'Group' THEN x.username
    ELSE x.username || '@' || coalesce(x.domain, $2) END`,
  statuses: "CASE WHEN x.account_id = $1 THEN x.text ELSE x.uri END",
  tags: "x.name",
  lists: "x.title",
  filters: "x.title",
  collections: "x.name",
};

type Column = { name: string; type: string; empty: string | null; target: string | null };

const columnsOf = ({ app }: TestApp, table: string) => app.sql<Column[]>`
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type,
    coalesce(substring(pg_get_expr(d.adbin, d.adrelid) FROM $$'(.*)'::$$), pg_get_expr(d.adbin, d.adrelid)) AS empty,
    (SELECT confrelid::regclass::text FROM pg_constraint
      WHERE contype = 'f' AND conrelid = a.attrelid AND conkey[1] = a.attnum LIMIT 1) AS target
  FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = ${table}::regclass AND a.attnum > 0`;

const valueOf = ({ name, type, target }: Column): string => {
  if (target) return `(SELECT ${NAMES[target]} FROM ${target} x WHERE x.id = t.${name})`;
  if (type === "timestamp with time zone") return `date_trunc('second', t.${name})`;
  // Files have names of their own on each server.
  return name.endsWith("_key") ? `t.${name} IS NOT NULL` : `t.${name}`;
};

/** Whether an import takes the file. Posts are compared as posts. */
const isTaken = (name: string): boolean =>
  name !== "outbox.json" && /^(?:taken|with settings)$/.test(FILES[name]!);

const takenColumns = ({ columns, stays = {} }: CarriedRows): string[] => {
  const staying = new Set(Object.values(stays).flat());
  return columns.filter((name) => !staying.has(name));
};

/** Ids within drafts are other ones on each server. */
const withoutIds = (row: string): string => row.replaceAll(/"\d{15,20}"/g, '"an id"');

/** Returns the rows of each table as JSON. With `everyColumn` each column must have a value of its own in some row. */
export const carriedRows = async (
  server: TestApp,
  accountId: string,
  everyColumn = false,
): Promise<Record<string, string[]>> => {
  const tables: Record<string, string[]> = {};
  for (const carried of CARRIED.filter(({ files }) => files.some(isTaken))) {
    const { table } = carried;
    const names = takenColumns(carried);
    const columns = (await columnsOf(server, table)).filter(({ name }) => names.includes(name));
    if (columns.length === 0) continue;
    const members = columns.map((column) => `'${column.name}', ${valueOf(column)}`);
    const rows = await server.app.sql.unsafe<{ row: Record<string, unknown> }[]>(
      `SELECT DISTINCT jsonb_build_object(${members.join()}) AS row FROM ${table} t
       WHERE ${OWNERS[table] ?? "t.account_id = $1"} AND ($1::bigint, $2::text) IS NOT NULL`,
      [accountId, server.app.config.site.localDomain],
    );
    const isEmpty = (value: unknown, empty: string | null): boolean =>
      value === null || String(value) === empty || /^(?:\[\]|\{\}|"")$/.test(JSON.stringify(value));
    for (const { name, empty } of everyColumn ? columns : [])
      assert.ok(
        rows.some(({ row }) => !isEmpty(row[name], empty)),
        `${table}.${name} has no value: give one in round-trip.test.ts`,
      );
    tables[table] = rows.map(({ row }) => withoutIds(JSON.stringify(row))).toSorted();
  }
  return tables;
};
