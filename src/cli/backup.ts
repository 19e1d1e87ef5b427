// rookery backup and rookery restore.

import type { App } from "../platform/app.ts";
import { readPassphrase, checkBackup, checkServer, findSource } from "../platform/backup/check.ts";
import type { Checked } from "../platform/backup/check.ts";
import { createBackup } from "../platform/backup/create.ts";
import type { BackupResult, Progress } from "../platform/backup/create.ts";
import { openPlace } from "../platform/backup/place.ts";
import {
  prepareFolder,
  refuseFullDatabase,
  refuseFullFolder,
  restoreInto,
} from "../platform/backup/restore.ts";
import type { Restored } from "../platform/backup/restore.ts";
import { backupAndPrune } from "../platform/backup/schedule.ts";
import { readConfig, readEnvironment } from "../platform/config/config.ts";
import type { Config } from "../platform/config/config.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import { checkMigrations } from "../platform/db/migrate.ts";
import { megabytes, progressLine } from "./progress.ts";
import { withApp, withAppOn } from "./session.ts";
import type { Opened } from "./session.ts";

export type BackupOptions = { passphraseFile?: string; json?: boolean };

const passphraseOf = async (config: Config, file: string | undefined): Promise<string | null> =>
  file === undefined ? config.backup.passphrase : readPassphrase(file);

const backupTo = async (
  app: App,
  url: string,
  target: string,
  options: Parameters<typeof createBackup>[3],
): Promise<BackupResult> => {
  const place = openPlace(target, app.config.backup.service);
  try {
    return await createBackup(app, url, place, options);
  } finally {
    place.files.close();
  }
};

/** Without a target: what the clock does, into BACKUP_TO. */
export const backupCommand = (target: string | undefined, options: BackupOptions): Promise<void> =>
  withApp(async (app, url) => {
    const line = progressLine();
    const progress: Progress = ({ database, files, bytes }) =>
      line.show(
        `database ${megabytes(database)}, media ${files} files, ${megabytes(bytes)} copied`,
      );
    const passphrase = await passphraseOf(app.config, options.passphraseFile);
    const made =
      target === undefined
        ? await backupAndPrune(app, url, progress)
        : await backupTo(app, url, target, { passphrase, progress });
    line.clear();
    if (options.json) return console.log(JSON.stringify(made, null, 2));
    console.log(
      `${made.name}: ${megabytes(made.bytes)}, ${made.files} media files (${made.files_copied} copied now).`,
    );
    if (passphrase === null) {
      console.log("It is not encrypted and holds keys and private posts: store it accordingly.");
    }
  });

const openDatabase = async (config: Config): Promise<Opened> =>
  config.database.url
    ? { url: config.database.url, stop: async () => {} }
    : startEmbedded({
        dataDir: config.dataDir,
        insist: config.dataDirWithoutLocks,
        restoring: true,
      });

/** After the backup was checked, into a folder that was. */
export const restoreChecked = async (
  config: Config,
  checked: Checked,
  onProgress: Parameters<typeof restoreInto>[3] = () => {},
): Promise<Restored> => {
  refuseFullFolder(config.dataDir);
  if (config.database.url) await refuseFullDatabase(config.database.url);
  prepareFolder(config, checked);
  const database = await openDatabase(config);
  return withAppOn(config, database, (app) => restoreInto(app, database.url, checked, onProgress));
};

const sayWhatIsLeft = ({ manifest }: Checked, { missing }: Restored): void => {
  const environment = readEnvironment();
  const unset = manifest.variables.filter((name) => !environment[name] && name !== "DATA_DIR");
  if (unset.length > 0) {
    console.log(`Set when the backup was made, and not now: ${unset.join(", ")}.`);
  }
  if (missing.length === 0) return;
  console.error(`${missing.length} media files were missing or damaged in the backup:`);
  for (const key of missing.slice(0, 100)) console.error(`  ${key}`);
  process.exitCode = 1;
};

export type RestoreOptions = { passphraseFile?: string; check?: boolean; json?: boolean };

/** Nothing is written before the whole backup was read once. */
export const restoreCommand = async (target: string, options: RestoreOptions): Promise<void> => {
  const config = readConfig(readEnvironment());
  if (!options.check) refuseFullFolder(config.dataDir);
  const place = openPlace(target, config.backup.service);
  try {
    const source = await findSource(place, await passphraseOf(config, options.passphraseFile));
    const checked = await checkBackup(source);
    const { manifest, missing, bytes } = checked;
    const facts = { backup: source.shown, bytes, missing: missing.length, manifest };
    if (options.check && options.json) return console.log(JSON.stringify(facts, null, 2));
    console.log(
      `${source.shown}: ${manifest.local_domain}, ${manifest.created_at}, Rookery ${manifest.version}, ${megabytes(bytes)}.`,
    );
    if (options.check) return sayWhatIsLeft(checked, { files: 0, missing });
    checkServer(checked, config);
    await checkMigrations(manifest.migrations);
    const line = progressLine();
    const restored = await restoreChecked(config, checked, ({ database, files }) =>
      line.show(`database ${megabytes(database)}, media ${files} files`),
    );
    line.clear();
    console.log(`Restored into ${config.dataDir}; ${restored.files} media files.`);
    sayWhatIsLeft(checked, restored);
  } finally {
    place.files.close();
  }
};
