// An App for one command, on the running server's database or on one started for the command.

import { closeApp, createApp } from "../app.ts";
import type { App } from "../platform/app.ts";
import { readConfig, readEnvironment, withSecrets } from "../platform/config/config.ts";
import type { Config } from "../platform/config/config.ts";
import { checkDatabase } from "../platform/db/index.ts";
import { connectEmbedded } from "../platform/db/embedded.ts";
import { shareInvalidations } from "../platform/db/invalidate-others.ts";
import { migrate } from "../platform/db/migrate.ts";

export type Opened = { url: string; stop(): Promise<void> };

const openDatabase = async (config: Config): Promise<Opened> => {
  if (config.database.url) return { url: config.database.url, stop: async () => {} };
  return connectEmbedded(config.dataDir, { insist: config.dataDirWithoutLocks });
};

/** Runs `work` on this database, and closes everything even after an error. */
export const withAppOn = async <T>(
  config: Config,
  database: Opened,
  work: (app: App) => Promise<T>,
): Promise<T> => {
  try {
    // Only now: opening the database creates the data folder, where the secrets are.
    // A command reads everything once: caches would be of no use.
    const caches = { ...config.caches, enabled: false };
    const direct = { ...config.database, pooler: null };
    const log = { level: "warn", pretty: true } as const;
    const full = withSecrets({ ...config, caches, database: direct, log });
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

/** Opens and migrates the database, runs `work`, and closes everything even after an error. */
export const withApp = async <T>(work: Work<T>, { migrated = true } = {}): Promise<T> =>
  withAppOf(readConfig(readEnvironment()), work, { migrated });

/** The same with a configuration that is not the environment's. */
export const withAppOf = async <T>(
  config: Config,
  work: Work<T>,
  { migrated = true } = {},
): Promise<T> => {
  const database = await openDatabase(config);
  return withAppOn(config, database, async (app) => {
    if (migrated) await migrate(app.sql, database.url);
    const invalidations = shareInvalidations(app);
    const result = await work(app, database.url);
    await invalidations.sent();
    return result;
  });
};
