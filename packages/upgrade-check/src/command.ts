// The command `rookery upgrade --check`.

import { statfs } from "node:fs/promises";
import { ConfigError, megabytes, withApp } from "./uses.ts";
import type { Config } from "./uses.ts";
import { planUpgrade } from "./plan.ts";
import type { PlannedMigration, UpgradePlan } from "./plan.ts";

type UpgradeOptions = { check?: boolean; json?: boolean };

const ACTS = {
  read: "reads",
  rows: "changes rows of",
  rewrite: "writes again all of",
  instant: "changes",
} as const;

const MINUTE = 60;

/** Formats a duration: `up to 3 minutes`. */
const duration = (seconds: number): string =>
  seconds <= 1
    ? "at once"
    : seconds < 2 * MINUTE
      ? `up to ${seconds} seconds`
      : `up to ${Math.ceil(seconds / MINUTE)} minutes`;

const linesOf = ({ name, tables, seconds, disk_bytes: bytes }: PlannedMigration): string[] => [
  `  ${name}: ${duration(seconds)}${bytes > 0 ? `, ${megabytes(bytes)} more` : ""}`,
  ...tables.map(
    ({ table, work, bytes: size, blocking }) =>
      `    ${ACTS[work]} ${table} (${megabytes(size)})${blocking ? "; writes to it wait" : ""}`,
  ),
];

const BESIDE = {
  any: "Old and new processes can run side by side.",
  "the version before":
    "Something is taken away: only processes of the version right before this one can run beside the new ones. Stop older ones first.",
};

const show = (plan: UpgradePlan, free: number | null): void => {
  const { migrations, seconds, disk_bytes: bytes, beside } = plan;
  if (migrations.length === 0) {
    return console.log("The database is up to date: a start changes nothing.");
  }
  console.log(`A start of this version runs ${migrations.length} migrations:`);
  for (const migration of migrations) for (const line of linesOf(migration)) console.log(line);
  const room = free === null ? "" : `; ${megabytes(free)} are free`;
  console.log(`All in all ${duration(seconds)}, with ${megabytes(bytes)} more on the disk${room}.`);
  console.log(BESIDE[beside]);
};

/** Returns the free bytes for the built-in database; null for another one, whose disk is unknown. */
const freeBytes = async ({ database, dataDir }: Config): Promise<number | null> => {
  if (database.url !== null) return null;
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
};

export const upgradeCommand = async ({ check, json }: UpgradeOptions): Promise<void> => {
  if (!check) {
    throw new ConfigError(
      "The start of a new version upgrades the database by itself: rookery upgrade --check says what it will do.",
    );
  }
  await withApp(
    async ({ sql, config }) => {
      const plan = await planUpgrade(sql);
      const free = await freeBytes(config);
      if (json) console.log(JSON.stringify({ ...plan, free_bytes: free }, null, 2));
      else show(plan, free);
      if (free === null || plan.disk_bytes + config.disk.reserveBytes <= free) return;
      console.error("There is too little room on the disk of DATA_DIR.");
      process.exitCode = 1;
    },
    { migrated: false, started: false },
  );
};
