// Makes a scheduled backup, and deletes those that are too many.

import { ConfigError } from "./uses.ts";
import type { App } from "./uses.ts";
import { createBackup } from "./create.ts";
import type { BackupResult, Progress } from "./create.ts";
import { openTarget } from "./place.ts";
import { pruneBackups } from "./prune.ts";
import { createKeys } from "./sealed.ts";

/** Makes a backup in the folder BACKUP_TO and deletes those beyond BACKUP_KEEP. */
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
