// What a start would do to the database: the migrations that are due, with a careful estimate of the time and the room
// that they take.

import { pendingMigrations, readMigration, refuseNewer } from "./migrate.ts";
import { stepsOf } from "./migration-steps.ts";
import type { MigrationStep, Work } from "./migration-steps.ts";
import type { Sql } from "./index.ts";

type Size = { table_bytes: number; all_bytes: number };
type Sizes = Map<string, Size>;

/**
 * Megabytes a second on a slow or busy disk, below what was measured (docs/design/database.md): an estimate that is too
 * high harms less than one that is too low.
 */
const RATES: Record<Work, number> = { instant: Infinity, read: 20, rows: 2, rewrite: 10 };
const MEGABYTE = 1024 ** 2;

/** Of an index, in parts of its table. */
const INDEX_SHARE = 0.5;

export type PlannedMigration = {
  name: string;
  /** Large tables that it reads, changes or writes again, with what it does and how large they are. */
  tables: { table: string; work: Work; bytes: number; blocking: boolean }[];
  seconds: number;
  disk_bytes: number;
  /** In one transaction: what is blocked is blocked until its end. */
  in_transaction: boolean;
  takes_away: boolean;
};

export type UpgradePlan = {
  migrations: PlannedMigration[];
  seconds: number;
  disk_bytes: number;
  /** Processes of any earlier version go on beside this one; otherwise those of the version right before it do. */
  beside: "any" | "the version before";
};

const selectSizes = async (sql: Sql): Promise<Sizes> => {
  const rows = await sql<(Size & { name: string })[]>`
    SELECT relname AS name, pg_table_size(oid)::float8 AS table_bytes,
      pg_total_relation_size(oid)::float8 AS all_bytes
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  `;
  return new Map(rows.map(({ name, ...size }) => [name, size]));
};

const EMPTY: Size = { table_bytes: 0, all_bytes: 0 };

/** What one step reads or writes, and how much room it needs besides what is there. */
const costOf = ({ work, table }: MigrationStep, sizes: Sizes) => {
  const size = (table !== null && sizes.get(table)) || EMPTY;
  const bytes = work === "read" ? size.table_bytes : size.all_bytes;
  const share = { instant: 0, read: INDEX_SHARE, rows: 1, rewrite: 1 }[work];
  return { bytes, seconds: bytes / MEGABYTE / RATES[work], disk: bytes * share };
};

const sum = (costs: number[]): number => costs.reduce((all, cost) => all + cost, 0);

const planOf = async (name: string, sizes: Sizes): Promise<PlannedMigration> => {
  const { text, isOutside } = await readMigration(name);
  const steps = stepsOf(text).map((step) => ({ ...step, cost: costOf(step, sizes) }));
  const large = steps.filter(
    ({ work, table, cost }) => work !== "instant" && table && cost.bytes > 0,
  );
  return {
    name,
    tables: large.map(({ work, table, isBlocking: blocking, cost }) => ({
      table: table!,
      work,
      bytes: cost.bytes,
      blocking,
    })),
    seconds: Math.ceil(sum(steps.map(({ cost }) => cost.seconds))),
    disk_bytes: Math.ceil(sum(steps.map(({ cost }) => cost.disk))),
    in_transaction: !isOutside,
    takes_away: steps.some(({ takesAway }) => takesAway),
  };
};

/** ConfigError for a database of a newer version, and an empty one. */
export const planUpgrade = async (sql: Sql): Promise<UpgradePlan> => {
  await refuseNewer(sql);
  const sizes = await selectSizes(sql);
  const migrations: PlannedMigration[] = [];
  for (const name of await pendingMigrations(sql)) migrations.push(await planOf(name, sizes));
  return {
    migrations,
    seconds: sum(migrations.map(({ seconds }) => seconds)),
    disk_bytes: sum(migrations.map(({ disk_bytes: bytes }) => bytes)),
    beside: migrations.some(({ takes_away: takesAway }) => takesAway)
      ? "the version before"
      : "any",
  };
};
