// The PostgreSQL that is built in (packages/embedded-postgres), as Rookery uses it: by its name, never with half of a
// restored backup, and with what its administrators have set in place of the package's words.

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

/** ConfigError with the same sentence in our words. */
const inOurWords = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof embedded.EmbeddedPostgresError) throw new ConfigError(error.tell(WORDS));
    throw error;
  }
};

type Options = Omit<embedded.ConnectOptions, "name" | "refuse"> & {
  /** For the restore of a backup: the folder has half of one meanwhile. */
  restoring?: boolean;
};

const named = ({ restoring = false, ...options }: Options): embedded.ConnectOptions => ({
  ...options,
  name: "rookery",
  ...(!restoring && { refuse: refuseUnfinishedFolder }),
});

/** For the server: the database of a data folder until `stop`; ConfigError when it cannot start or another one runs. */
export const startEmbedded = (options: Options): Promise<embedded.EmbeddedDatabase> =>
  inOurWords(embedded.startEmbedded(named(options)));

/** For a command: the server's database while it runs, otherwise its own until `stop`; ConfigError where none is. */
export const connectEmbedded = (options: Options): Promise<embedded.EmbeddedDatabase> =>
  inOurWords(embedded.connectEmbedded(named(options)));
