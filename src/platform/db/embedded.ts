// Uses the built-in PostgreSQL (packages/embedded-postgres) as Rookery needs it: with its name, never with half of a
// restored backup, and with Rookery's settings named in errors.

import * as embedded from "#embedded-postgres";
import { refuseUnfinishedFolder } from "../backup/unfinished.ts";
import { ConfigError } from "../errors.ts";

export { hasDatabase } from "#embedded-postgres";
export type { EmbeddedDatabase } from "#embedded-postgres";

const WORDS: embedded.Words = {
  program: "Rookery",
  otherFolder: "choose another DATA_DIR",
  otherDatabase: "set DATABASE_URL to use another PostgreSQL",
  withoutLocks: "set DATA_DIR_WITHOUT_LOCKS=true",
  findDatabase:
    "set DATA_DIR to the data folder of the server (or DATABASE_URL), as its own settings do, or make a new server with rookery start",
};

/** Converts errors to ConfigError with our own words. */
const inOurWords = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof embedded.EmbeddedPostgresError) throw new ConfigError(error.tell(WORDS));
    throw error;
  }
};

type Options = Omit<embedded.ConnectOptions, "name" | "refuse"> & {
  /** True while a backup is being restored, when the folder has half of it. */
  restoring?: boolean;
};

const named = ({ restoring = false, ...options }: Options): embedded.ConnectOptions => ({
  ...options,
  name: "rookery",
  ...(!restoring && { refuse: refuseUnfinishedFolder }),
});

/**
 * Starts the database of a data folder for the server, until `stop`. Throws ConfigError when it cannot start or another
 * one runs.
 */
export const startEmbedded = (options: Options): Promise<embedded.EmbeddedDatabase> =>
  inOurWords(embedded.startEmbedded(named(options)));

/**
 * Connects a command: to the server's database while it runs, otherwise to its own until `stop`. Throws ConfigError
 * where there is none.
 */
export const connectEmbedded = (options: Options): Promise<embedded.EmbeddedDatabase> =>
  inOurWords(embedded.connectEmbedded(named(options)));
