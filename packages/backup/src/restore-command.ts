// The command `rookery restore`.

import { existsSync } from "node:fs";
import {
  ConfigError,
  checkMigrations,
  isHttpsDefault,
  megabytes,
  openNewDatabase,
  progressLine,
  readConfig,
  readEnvironment,
  withAppOn,
  withNames,
} from "./uses.ts";
import type { Config, Env } from "./uses.ts";
import { checkBackup, checkServer, findSource, namesOf } from "./check.ts";
import type { Checked } from "./check.ts";
import { openPlace } from "./place.ts";
import {
  clearFolder,
  prepareFolder,
  refuseFullDatabase,
  refuseFullFolder,
  restoreInto,
} from "./restore.ts";
import type { Restored } from "./restore.ts";
import { drillCommand } from "./drill/command.ts";
import { passphraseOf, usingPlace } from "./backup-command.ts";

/** Restores a checked backup into a checked folder. */
export const restoreChecked = async (
  config: Config,
  checked: Checked,
  onProgress: Parameters<typeof restoreInto>[3] = () => {},
): Promise<Restored> => {
  refuseFullFolder(config.dataDir);
  if (config.database.url) await refuseFullDatabase(config.database.url);
  const wasThere = existsSync(config.dataDir);
  try {
    await prepareFolder(config, checked);
    const database = await openNewDatabase(config, { restoring: true });
    return await withAppOn(config, database, (app) =>
      restoreInto(app, database.url, checked, onProgress),
    );
  } catch (error) {
    clearFolder(config.dataDir, wasThere);
    throw error;
  }
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
  const place = openPlace(target, configured.backup.service);
  try {
    const passphrase = await passphraseOf(configured, options.passphraseFile);
    const source = await usingPlace(target, findSource(place, passphrase));
    // Before all of the backup is read, which takes long.
    if (!options.check) refuseFullFolder(configured.dataDir);
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
      return drillCommand(checked, facts, options.json);
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
