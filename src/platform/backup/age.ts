// Judges the stored outcomes of backups: how old the newest one and the last restore drill may become before the staff
// is told, and which failures count.

import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Outcome } from "./queries.ts";

const HOUR_MS = 3_600_000;
/** Hours after which a backup counts as old where no interval is configured. */
const MANUAL_HOURS = 7 * 24;

export const DRILL_LIMIT_MS = 90 * 24 * HOUR_MS;

const backupLimitMs = ({ backup: { to, everyHours } }: Config): number =>
  2 * (to === null ? MANUAL_HOURS : everyHours) * HOUR_MS;

const placeOf = (address: string): string =>
  address.startsWith("s3://") ? address.replace(/\/$/, "") : resolve(address);

type Outcomes = { last: Outcome | null; good: Outcome | null };

export type Judged = {
  isOld: boolean;
  /** The last backup where it failed. `counts`: there is no good one beside it, or the server's own failed. */
  failed: { place: string; why: string; counts: boolean } | null;
};

/** A failure at another place than BACKUP_TO, by a slip of the hand, takes nothing from a good backup. */
export const judgeOutcomes = ({ last, good }: Outcomes, config: Config, now: Date): Judged => {
  const isOld = good !== null && now.getTime() - good.started_at.getTime() > backupLimitMs(config);
  if (!last?.fault) return { isOld, failed: null };
  const { place, fault: why } = last;
  const { to } = config.backup;
  const isOwn = to !== null && placeOf(to) === placeOf(place);
  return { isOld, failed: { place, why, counts: good === null || isOld || isOwn } };
};
