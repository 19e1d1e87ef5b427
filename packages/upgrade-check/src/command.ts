// The command `rookery upgrade`: with --check it only looks, with the next version it replaces the present one.

import { statfs } from "node:fs/promises";
import { ConfigError, megabytes, withApp } from "./uses.ts";
import type { Config } from "./uses.ts";
import { findInstallation } from "./installation.ts";
import type { InstallationOptions } from "./installation.ts";
import { planUpgrade } from "./plan.ts";
import type { PlannedMigration, UpgradePlan } from "./plan.ts";
import { upgrade } from "./upgrade.ts";
import { markNow, writtenSince } from "./queries-written.ts";

type UpgradeOptions = InstallationOptions & {
  check?: boolean;
  json?: boolean;
  mark?: boolean;
  writtenSince?: string;
};

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

/** The database is looked at as it is, before its migration and while no server runs. */
const AS_IT_IS = { migrated: false, started: false };

const check = ({ json }: UpgradeOptions): Promise<void> =>
  withApp(async ({ sql, config }) => {
    const plan = await planUpgrade(sql);
    const free = await freeBytes(config);
    if (json) console.log(JSON.stringify({ ...plan, free_bytes: free }, null, 2));
    else show(plan, free);
    if (free === null || plan.disk_bytes + config.disk.reserveBytes <= free) return;
    console.error("There is too little room on the disk of DATA_DIR.");
    process.exitCode = 1;
  }, AS_IT_IS);

const replace = async (next: string, options: UpgradeOptions): Promise<void> => {
  const at = await findInstallation(next, options);
  try {
    if ((await upgrade(at, console.log)) !== "done") process.exitCode = 1;
  } finally {
    at.clear();
  }
};

/** `mark` and `writtenSince` are what an upgrade asks the next version. */
export const upgradeCommand = async (
  next: string | undefined,
  options: UpgradeOptions,
): Promise<void> => {
  const { mark, writtenSince: since } = options;
  if (mark) return withApp(async ({ sql }) => console.log(await markNow(sql)), AS_IT_IS);
  if (since !== undefined) {
    return withApp(
      async ({ sql }) => console.log((await writtenSince(sql, since)).join("\n")),
      AS_IT_IS,
    );
  }
  if (options.check) return check(options);
  if (next !== undefined) return replace(next, options);
  throw new ConfigError(
    "The start of a new version upgrades the database by itself: rookery upgrade --check says what it will do. With the folder or archive of a version, rookery upgrade replaces this one.",
  );
};
