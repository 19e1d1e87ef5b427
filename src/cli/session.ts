// Opens an App for one command, on the running server's database or on one started for the command.

import { closeApp, createApp } from "../app.ts";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../platform/app.ts";
import { readConfig, readEnvironment, withFoundSecrets } from "../platform/config/config.ts";
import type { Config } from "../platform/config/config.ts";
import { withNames } from "../platform/config/names.ts";
import type { SiteNames } from "../platform/config/names.ts";
import type { Env } from "../platform/config/parse.ts";
import { checkDatabase, connect } from "../platform/db/index.ts";
import { connectEmbedded, startEmbedded } from "../platform/db/embedded.ts";
import { shareInvalidations } from "../platform/db/invalidate-others.ts";
import { migrate } from "../platform/db/migrate.ts";
import {
  refuseOtherNames,
  refuseUnfinishedMove,
  selectFormerNames,
  selectSiteNames,
} from "../platform/db/site-names.ts";
import { recordRun } from "./audited-commands.ts";
import { ConfigError } from "../platform/errors.ts";

/** `owned`: no server has the database; undefined for an external one, of which that is not known. */
export type Opened = { url: string; owned?: boolean; stop(): Promise<void> };

/** Opens the configured database, or that of the data folder, which another process may have. */
export const openDatabase = async (config: Config): Promise<Opened> => {
  if (config.database.url) return { url: config.database.url, stop: async () => {} };
  return connectEmbedded({ dataDir: config.dataDir, insist: config.dataDirWithoutLocks });
};

/**
 * Opens the database for a command that creates or restores a server: one is created where none is configured and none
 * exists.
 */
export const openNewDatabase = async (
  { database, dataDir, dataDirWithoutLocks: insist }: Config,
  { restoring = false } = {},
): Promise<Opened> =>
  database.url
    ? { url: database.url, stop: async () => {} }
    : startEmbedded({ dataDir, insist, restoring });

/** For commands that need files but no database: throws ConfigError in a folder without a server. */
export const requireDataDir = ({ dataDir }: Config): void => {
  if (existsSync(dataDir)) return;
  throw new ConfigError(
    `There is no folder ${dataDir}: set DATA_DIR to the data folder of the server, as its own settings do.`,
  );
};

/** Runs `work` on this database, and closes everything even after an error. */
export const withAppOn = async <T>(
  config: Config,
  database: Opened,
  work: (app: App) => Promise<T>,
): Promise<T> => {
  try {
    // A command reads everything once, so caches would be of no use.
    const caches = { ...config.caches, enabled: false };
    const direct = { ...config.database, pooler: null };
    const log = { level: "warn", pretty: true } as const;
    const full = withFoundSecrets({ ...config, caches, database: direct, log });
    const app = createApp({ config: full, databaseUrl: database.url });
    try {
      await checkDatabase(app.sql, database.url);
      return await work(app);
    } finally {
      await closeApp(app);
    }
  } finally {
    await database.stop();
  }
};

type Work<T> = (app: App, url: string) => Promise<T>;

/** Milliseconds to wait for a starting server to store its names, which it does once its database is migrated. */
const NAMES_MS = 60_000;

/** Reads the names that a server has stored, or is about to store. */
export const readNames = async ({ url, owned = true }: Opened): Promise<SiteNames | null> => {
  const sql = connect(url, { max: 1, application: "rookery" });
  const deadline = Date.now() + (owned ? 0 : NAMES_MS);
  try {
    await checkDatabase(sql, url);
    for (;;) {
      const names = await selectSiteNames(sql);
      if (names || Date.now() >= deadline) return names;
      await sleep(100);
    }
  } finally {
    await sql.end({ timeout: 5 });
  }
};

/** Returns the error for a database that a command of an earlier version made in a wrong folder. */
export const neverStarted = ({ dataDir }: Config): ConfigError =>
  new ConfigError(
    `No server has started on the data in ${dataDir} yet: set DATA_DIR to the data folder of the server, as its own settings do, or start the server there once.`,
  );

/** `started` requires data of a server that has started, so that its names are known. */
type SessionOptions = { migrated?: boolean; started?: boolean };

/**
 * Opens and migrates the database, runs `work`, and closes everything even after an error. Names of the server that are
 * not configured come from its data.
 */
export const withAppIn = async <T>(
  env: Env,
  work: Work<T>,
  { migrated = true, started = true }: SessionOptions = {},
): Promise<T> => {
  const database = await openDatabase(readConfig(env));
  let config: Config;
  try {
    const names = await readNames(database);
    config = readConfig(names ? withNames(env, names) : env);
    if (names) refuseOtherNames(names, config.site);
    else if (started && config.database.url === null) throw neverStarted(config);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return withAppOn(config, database, async (app) => {
    if (migrated) {
      await migrate(app.sql, database.url);
      await refuseUnfinishedMove(app.sql);
      app.config.site.former = await selectFormerNames(app.sql);
      await recordRun(app);
    }
    const invalidations = shareInvalidations(app);
    const result = await work(app, database.url);
    await invalidations.sent();
    return result;
  });
};

export const withApp = <T>(work: Work<T>, options: SessionOptions = {}): Promise<T> =>
  withAppIn(readEnvironment(), work, options);
