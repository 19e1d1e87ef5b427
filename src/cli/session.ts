// An App for the length of one command, on the running server's database or one started for it.

import { closeApp, createApp } from "../app.ts";
import type { App } from "../platform/app.ts";
import { readConfig, readEnvironment, withSecrets } from "../platform/config/config.ts";
import type { Config } from "../platform/config/config.ts";
import { checkDatabase } from "../platform/db/index.ts";
import { connectEmbedded } from "../platform/db/embedded.ts";
import { migrate } from "../platform/db/migrate.ts";

const openDatabase = async (config: Config) => {
  if (config.database.url) return { url: config.database.url, stop: async () => {} };
  return connectEmbedded(config.dataDir);
};

/** Opens, migrates, works, closes, whatever happens. */
export const withApp = async <T>(work: (app: App, url: string) => Promise<T>): Promise<T> => {
  const config = readConfig(readEnvironment());
  const database = await openDatabase(config);
  try {
    // Made only now: the data folder exists since the database was opened.
    // A command reads each thing once: nothing is worth keeping, or listening for.
    const caches = { ...config.caches, statuses: false };
    const full = withSecrets({ ...config, caches, log: { level: "warn", pretty: true } });
    const app = createApp({ config: full, databaseUrl: database.url });
    try {
      await checkDatabase(app.sql, database.url);
      await migrate(app.sql, database.url);
      return await work(app, database.url);
    } finally {
      await closeApp(app);
    }
  } finally {
    await database.stop();
  }
};
