// Opens an App under the names that a server is to have.

import {
  migrate,
  neverStarted,
  openDatabase,
  readConfig,
  readNames,
  selectFormerNames,
  withAppOn,
} from "./uses.ts";
import type { App, Config, Env, SiteNames } from "./uses.ts";

/** Overrides the names of the environment. */
const renamed = (env: Env, { localDomain, webDomain, https }: SiteNames): Env => ({
  ...env,
  LOCAL_DOMAIN: localDomain,
  WEB_DOMAIN: webDomain,
  LOCAL_HTTPS: String(https),
});

export type NamedWork<T> = (app: App, opened: { url: string; stored: SiteNames }) => Promise<T>;

/** Opens the database under names that follow from the stored ones, runs `work`, and closes everything after it. */
export const withAppNamed = async <T>(
  env: Env,
  choose: (stored: SiteNames) => SiteNames,
  work: NamedWork<T>,
): Promise<T> => {
  const unnamed = readConfig({ ...env, LOCAL_DOMAIN: "", WEB_DOMAIN: "", LOCAL_HTTPS: "" });
  const database = await openDatabase(unnamed);
  let opened: { config: Config; stored: SiteNames };
  try {
    const stored = await readNames(database);
    if (!stored) throw neverStarted(unnamed);
    opened = { config: readConfig(renamed(env, choose(stored))), stored };
  } catch (error) {
    await database.stop();
    throw error;
  }
  return withAppOn(opened.config, database, async (app) => {
    await migrate(app.sql, database.url);
    app.config.site.former = await selectFormerNames(app.sql);
    return work(app, { url: database.url, stored: opened.stored });
  });
};
