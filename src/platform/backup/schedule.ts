// Backups by the clock: into the folder of BACKUP_TO, as often as BACKUP_EVERY_HOURS says, of which BACKUP_KEEP stay.

import type { App } from "../app.ts";
import { ConfigError } from "../errors.ts";
import type { JobPayloads } from "../jobs/index.ts";
import { claim, runClaimed } from "../runs/run.ts";
import { createBackup } from "./create.ts";
import type { BackupResult, Progress } from "./create.ts";
import { areFilesHeld } from "../storage/queries.ts";
import { openTarget } from "./place.ts";
import { pruneBackups } from "./prune.ts";
import { selectOutcomes } from "./queries.ts";
import { createKeys } from "./sealed.ts";

declare module "../jobs/index.ts" {
  interface JobPayloads {
    /** It may be time for a backup; `claimed`: somebody of the staff asked, who has claimed the run. */
    "backup.due": { claimed?: true };
  }
}

const HOUR_MS = 3_600_000;
/** The clock looks every hour: what is nearly due is made now rather than an hour late. */
const EARLY_MS = HOUR_MS / 2;

/** When the newest good one was begun; null: there is none yet. */
export const lastBackup = async ({ sql }: App): Promise<Date | null> =>
  (await selectOutcomes(sql)).good?.started_at ?? null;

export const isDue = async ({ config, sql, clock }: App): Promise<boolean> => {
  // One that takes longer than an hour is still being made.
  if (config.backup.to === null || (await areFilesHeld(sql))) return false;
  const { good } = await selectOutcomes(sql);
  if (!good) return true;
  const age = clock.now().getTime() - good.started_at.getTime();
  return age >= config.backup.everyHours * HOUR_MS - EARLY_MS;
};

/** Makes one in the folder of BACKUP_TO, and deletes those that are too many. */
export const backupAndPrune = async (
  app: App,
  url: string,
  progress?: Progress,
): Promise<BackupResult & { deleted: string[] }> => {
  const { to, passphrase, keep } = app.config.backup;
  if (to === null) throw new ConfigError("Set BACKUP_TO, or say where: rookery backup FILE.");
  const place = openTarget(to, app.config);
  const backup = await createBackup(app, url, place, { passphrase, ...(progress && { progress }) });
  const keys = passphrase === null ? null : createKeys(passphrase);
  const deleted = await pruneBackups(place.files, keep, keys);
  place.files.close();
  return { ...backup, deleted };
};

/**
 * The job `backup.due`. The command stores how it went, and the next hour tries again what failed. Nothing waits for
 * it but the mark that it runs: it may take hours.
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
