// The command `rookery backup`.

import { ConfigError, megabytes, progressLine, reasonOf, sqlState, withApp } from "./uses.ts";
import type { App, Config } from "./uses.ts";
import { backupAndPrune } from "./scheduled.ts";
import { readPassphrase } from "./check.ts";
import { createBackup } from "./create.ts";
import type { BackupResult, Progress } from "./create.ts";
import { openTarget } from "./place.ts";

type BackupOptions = { passphraseFile?: string; json?: boolean };

/** Returns the passphrase in a file, or the configured one without a file. */
export const passphraseOf = async (
  config: Config,
  file: string | undefined,
): Promise<string | null> => (file === undefined ? config.backup.passphrase : readPassphrase(file));

const backupTo = async (
  app: App,
  url: string,
  target: string,
  options: Parameters<typeof createBackup>[3],
): Promise<BackupResult> => {
  const place = openTarget(target, app.config);
  try {
    return await createBackup(app, url, place, options);
  } finally {
    place.files.close();
  }
};

/** Whether an error comes from a disk, or from the service of a bucket. */
const isOfPlace = (error: unknown): boolean => {
  if (!(error instanceof Error) || sqlState(error) !== null) return false;
  return "code" in error || "$metadata" in error || error.name === "CredentialsProviderError";
};

/** Says in one sentence that a place of backups cannot be used. */
export const usingPlace = async <T>(shown: string, work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!isOfPlace(error)) throw error;
    throw new ConfigError(`${shown} cannot be used: ${reasonOf(error)}.`);
  }
};

/** Makes a backup; without a target, a scheduled one into BACKUP_TO. */
export const backupCommand = (target: string | undefined, options: BackupOptions): Promise<void> =>
  withApp(async (app, url) => {
    const line = progressLine();
    const progress: Progress = ({ database, files, bytes }) =>
      line.show(
        `database ${megabytes(database)}, media ${files} files, ${megabytes(bytes)} copied`,
      );
    const passphrase = await passphraseOf(app.config, options.passphraseFile);
    const backup = await usingPlace(
      target ?? app.config.backup.to ?? "BACKUP_TO",
      target === undefined
        ? backupAndPrune(app, url, progress)
        : backupTo(app, url, target, { passphrase, progress }),
    );
    line.clear();
    if (options.json) return console.log(JSON.stringify(backup, null, 2));
    console.log(
      `${backup.name}: ${megabytes(backup.bytes)}, ${backup.files} media files (${backup.files_copied} copied now).`,
    );
    if (passphrase === null) {
      console.log("It is not encrypted and holds keys and private posts: store it accordingly.");
    }
  });
