// Defines how old the newest backup and the last restore drill may become before the staff is told.

import type { Config } from "../config/config.ts";

const HOUR_MS = 3_600_000;
/** Hours after which a backup counts as old where no interval is configured. */
const MANUAL_HOURS = 7 * 24;

export const DRILL_LIMIT_MS = 90 * 24 * HOUR_MS;

export const backupLimitMs = ({ backup: { to, everyHours } }: Config): number =>
  2 * (to === null ? MANUAL_HOURS : everyHours) * HOUR_MS;
