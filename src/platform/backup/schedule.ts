// Scheduled backups go into the folder BACKUP_TO every BACKUP_EVERY_HOURS, and the newest BACKUP_KEEP are kept.

import type { App } from "../app.ts";
import type { JobPayloads } from "../jobs/index.ts";
import { claim, runClaimed } from "../runs/run.ts";
import { areFilesHeld } from "../storage/queries.ts";
import { selectOutcomes } from "./queries.ts";

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /**
     * Checks whether a backup is due. `claimed`: somebody of the staff asked for it and has already claimed the run.
     */
    "backup.due": { claimed?: true };
  }
}

const HOUR_MS = 3_600_000;
/** The job runs every hour. A backup that is due within this time is made now rather than an hour late. */
const EARLY_MS = HOUR_MS / 2;

/** Returns when the newest successful backup was started, or null if there is none. */
export const lastBackup = async ({ sql }: App): Promise<Date | null> =>
  (await selectOutcomes(sql)).good?.started_at ?? null;

export const isDue = async ({ config, sql, clock }: App): Promise<boolean> => {
  // A backup that takes longer than an hour is still in progress.
  if (config.backup.to === null || (await areFilesHeld(sql))) return false;
  const { good } = await selectOutcomes(sql);
  if (!good) return true;
  const age = clock.now().getTime() - good.started_at.getTime();
  return age >= config.backup.everyHours * HOUR_MS - EARLY_MS;
};

/**
 * Runs the job `backup.due`. The command stores the outcome, and a failed backup is tried again in the next hour. It
 * may take hours, so the job does not wait for it.
 */
export const startDueBackup = async (
  app: App,
  { claimed }: JobPayloads["backup.due"],
): Promise<void> => {
  if (!claimed && !((await isDue(app)) && (await claim(app, "backup")))) return;
  void runClaimed(app, { name: "backup", args: ["backup"] }).then(
    ({ code, signal }) => {
      if (code === 0) app.log.info("a backup was made");
      else app.log.error({ code, signal }, "no backup was made; rookery backup says why");
    },
    (error: unknown) => app.log.error({ err: error }, "the end of a backup cannot be stored"),
  );
};
