// Says what a start would do to the database: the migrations that are due, with a careful estimate of the time and the
// disk space that they take.

import { pendingMigrations, readMigration, refuseNewer } from "./uses.ts";
import type { Sql } from "./uses.ts";
import { stepsOf } from "./migration-steps.ts";
import type { MigrationStep, Work } from "./migration-steps.ts";

type Size = { table_bytes: number; all_bytes: number };
type Sizes = Map<string, Size>;

/**
 * Megabytes per second on a slow or busy disk, below what was measured (docs/design/database.md): an estimate that is
 * too high harms less than one that is too low.
 */
const RATES: Record<Work, number> = { instant: Infinity, read: 20, rows: 2, rewrite: 10 };
const MEGABYTE = 1024 ** 2;

/** Size of an index as a share of its table. */
const INDEX_SHARE = 0.5;

export type PlannedMigration = {
  name: string;
  /** Large tables that it reads, changes or rewrites, with their sizes. */
  tables: { table: string; work: Work; bytes: number; blocking: boolean }[];
  seconds: number;
  disk_bytes: number;
  /** True when it is one transaction, which blocks until its end. */
  in_transaction: boolean;
  takes_away: boolean;
};

export type UpgradePlan = {
  migrations: PlannedMigration[];
  seconds: number;
  disk_bytes: number;
  /** Which processes can continue beside this one: those of any earlier version, or of the version right before it. */
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

/** Returns the bytes that one step reads or writes, and the additional disk space that it needs. */
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

/** Plans an upgrade; throws ConfigError for a database of a newer version, and for an empty one. */
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
