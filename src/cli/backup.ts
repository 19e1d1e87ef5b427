// The commands `rookery backup` and `rookery restore`.

import type { App } from "../platform/app.ts";
import {
  checkBackup,
  checkServer,
  findSource,
  namesOf,
  readPassphrase,
} from "../platform/backup/check.ts";
import type { Checked } from "../platform/backup/check.ts";
import { createBackup } from "../platform/backup/create.ts";
import type { BackupResult, Progress } from "../platform/backup/create.ts";
import { openPlace, openTarget } from "../platform/backup/place.ts";
import {
  prepareFolder,
  refuseFullDatabase,
  refuseFullFolder,
  restoreInto,
} from "../platform/backup/restore.ts";
import type { Restored } from "../platform/backup/restore.ts";
import { backupAndPrune } from "../platform/backup/schedule.ts";
import { isHttpsDefault, readConfig, readEnvironment } from "../platform/config/config.ts";
import type { Config } from "../platform/config/config.ts";
import { withNames } from "../platform/config/names.ts";
import type { Env } from "../platform/config/parse.ts";
import { sqlState } from "../platform/db/index.ts";
import { checkMigrations } from "../platform/db/migrate.ts";
import { ConfigError } from "../platform/errors.ts";
import { reasonOf } from "../doctor/finding.ts";
import { megabytes, progressLine } from "./progress.ts";
import { openNewDatabase, withApp, withAppOn } from "./session.ts";

export type BackupOptions = { passphraseFile?: string; json?: boolean };

const passphraseOf = async (config: Config, file: string | undefined): Promise<string | null> =>
  file === undefined ? config.backup.passphrase : readPassphrase(file);

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

const usingPlace = async <T>(shown: string, work: Promise<T>): Promise<T> => {
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

/** Restores a checked backup into a checked folder. */
export const restoreChecked = async (
  config: Config,
  checked: Checked,
  onProgress: Parameters<typeof restoreInto>[3] = () => {},
): Promise<Restored> => {
  refuseFullFolder(config.dataDir);
  if (config.database.url) await refuseFullDatabase(config.database.url);
  prepareFolder(config, checked);
  const database = await openNewDatabase(config, { restoring: true });
  return withAppOn(config, database, (app) => restoreInto(app, database.url, checked, onProgress));
};

/** Says which names to set: the server refuses to start with other names than those of its data. */
const sayNames = (checked: Checked, environment: Env): void => {
  const { site } = readConfig(environment);
  const names = namesOf(checked);
  if (!names) return;
  const settings = [
    names.localDomain !== site.localDomain && `LOCAL_DOMAIN=${names.localDomain}`,
    names.webDomain !== names.localDomain &&
      names.webDomain !== site.webDomain &&
      `WEB_DOMAIN=${names.webDomain}`,
    names.https !== isHttpsDefault(names.webDomain) &&
      names.https !== site.https &&
      `LOCAL_HTTPS=${names.https}`,
  ].filter((setting) => setting !== false);
  if (settings.length > 0) console.log(`Set ${settings.join(" and ")} before you start it.`);
};

const NAMES = ["LOCAL_DOMAIN", "WEB_DOMAIN", "LOCAL_HTTPS", "DATA_DIR"];

const sayWhatIsLeft = (checked: Checked, { missing }: Restored): void => {
  const { manifest } = checked;
  const environment = readEnvironment();
  sayNames(checked, environment);
  const unset = manifest.variables.filter((name) => !environment[name] && !NAMES.includes(name));
  if (unset.length > 0) {
    console.log(`Set when the backup was made, and not now: ${unset.join(", ")}.`);
  }
  if (missing.length === 0) return;
  console.error(`${missing.length} media files were missing or damaged in the backup:`);
  for (const key of missing.slice(0, 100)) console.error(`  ${key}`);
  process.exitCode = 1;
};

/** Says whether the backup is good; one that lacks media ends the command with 1. */
const sayVerdict = ({ missing }: Checked): void =>
  console.log(
    missing.length === 0
      ? "The backup is good: all of it was read, and nothing is missing."
      : "The backup is not whole: these media files are lost with it, and the rest can be restored.",
  );

type RestoreOptions = {
  passphraseFile?: string;
  check?: boolean;
  deep?: boolean;
  json?: boolean;
};

/** Restores a backup; nothing is written before all of it was read once. */
export const restoreCommand = async (target: string, options: RestoreOptions): Promise<void> => {
  if (options.deep && !options.check) throw new ConfigError("--deep goes with --check alone.");
  const environment = readEnvironment();
  const configured = readConfig(environment);
  if (!options.check) refuseFullFolder(configured.dataDir);
  const place = openPlace(target, configured.backup.service);
  try {
    const passphrase = await passphraseOf(configured, options.passphraseFile);
    const source = await usingPlace(target, findSource(place, passphrase));
    const checked = await checkBackup(source);
    const { manifest, missing, bytes } = checked;
    const facts = { backup: source.shown, bytes, missing: missing.length, manifest };
    if (missing.length > 0) process.exitCode = 1;
    if (options.check && options.json && !options.deep)
      return console.log(JSON.stringify(facts, null, 2));
    if (!options.json) {
      console.log(
        `${source.shown}: ${manifest.local_domain}, ${manifest.created_at}, Rookery ${manifest.version}, ${megabytes(bytes)}.`,
      );
    }
    if (options.deep) {
      await checkMigrations(manifest.migrations);
      return (await import("#restore-drill")).drillCommand(checked, facts, options.json);
    }
    if (options.check) {
      sayWhatIsLeft(checked, { files: 0, missing });
      return sayVerdict(checked);
    }
    const names = namesOf(checked);
    const config = names ? readConfig(withNames(environment, names)) : configured;
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
