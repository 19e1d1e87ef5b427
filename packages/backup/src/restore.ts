// `rookery restore` loads a backup into an empty data folder, and into an empty database where DATABASE_URL names
// another server's.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  ConfigError,
  checkDatabase,
  connect,
  makeFolder,
  markFolder,
  migrate,
  unmarkFolder,
  writeSecrets,
} from "./uses.ts";
import type { App, Config } from "./uses.ts";
import { damaged, readAll } from "./archive.ts";
import type { ArchiveEntry } from "./archive.ts";
import { entriesOf, openList } from "./check.ts";
import type { Checked } from "./check.ts";
import { startLoad } from "./load.ts";
import type { Load } from "./load.ts";
import { readPooled } from "./media.ts";
import { isEmptyDatabase, markDatabase, unmarkDatabase } from "./queries.ts";
import type { Sequence, Table } from "./queries.ts";
import type { Bytes } from "./sealed.ts";

/** Files that an empty volume has by itself. */
const HARMLESS = new Set(["lost+found"]);

const namesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !HARMLESS.has(name)) : [];

/** Throws ConfigError when the folder has anything that a restore would mix with. */
export const refuseFullFolder = (dataDir: string): void => {
  if (namesIn(dataDir).length === 0) return;
  throw new ConfigError(
    `${dataDir} is not empty: move what is there away, or set DATA_DIR to another folder.`,
  );
};

const notEmpty = (): ConfigError =>
  new ConfigError("The database is not empty: restore into a new one.");

/** Throws ConfigError when the database of DATABASE_URL cannot be used or is not empty. */
export const refuseFullDatabase = async (url: string): Promise<void> => {
  const sql = connect(url, { max: 1, application: "rookery restore" });
  try {
    await checkDatabase(sql, url);
    if (!(await isEmptyDatabase(sql))) throw notEmpty();
  } finally {
    await sql.end({ timeout: 5 });
  }
};

/** Marks the folder, so that no server starts on it until the restore is complete, and writes the secrets. */
export const prepareFolder = async (config: Config, { secrets }: Checked): Promise<void> => {
  await makeFolder(config.dataDir, 0o750);
  markFolder(config.dataDir);
  writeSecrets(config.dataDir, secrets);
};

/** Removes what a failed restore wrote into a folder that was empty; with the folder where it was not there. */
export const clearFolder = (dataDir: string, wasThere: boolean): void => {
  const all = wasThere ? namesIn(dataDir).map((name) => join(dataDir, name)) : [dataDir];
  for (const path of all) rmSync(path, { recursive: true, force: true });
};

export type Restored = { files: number; missing: string[] };
type OnProgress = (done: { database: number; files: number }) => void;

/** Finds the table for `database/public.accounts/000000.copy` in the manifest. */
const tableOf = (name: string, tables: Map<string, Table>): Table | null => {
  const [, table = ""] = /^database\/([^/]+)\/\d+\.copy$/.exec(name) ?? [];
  return tables.get(table) ?? null;
};

type Run = {
  app: App;
  load: Load;
  tables: Map<string, Table>;
  done: { database: number; files: number };
  onProgress: OnProgress;
};

const toStream = (content: Bytes): Readable => Readable.from(content, { objectMode: false });

const restoreEntry = async (run: Run, { name, size, content }: ArchiveEntry): Promise<void> => {
  const { app, load, done } = run;
  const table = tableOf(name, run.tables);
  if (table) {
    await load.rows(table, content);
    done.database += size;
  } else if (name === "sequences.json") {
    await load.sequences(JSON.parse((await readAll(content)).toString()) as Sequence[]);
    await load.complete();
  } else if (name.startsWith("media/")) {
    await app.storage.put(name.slice("media/".length), toStream(content));
    done.files += 1;
  } else {
    for await (const chunk of content) void chunk;
  }
  run.onProgress(done);
};

/**
 * Restores the media beside the backup. Missing or damaged files are skipped and returned, since the rest is worth
 * having.
 */
const restorePool = async (run: Run, { source, manifest }: Checked): Promise<string[]> => {
  const list = await openList(source, manifest);
  const missing: string[] = [];
  if (!list) return missing;
  for await (const file of list.media) {
    const stored = await run.app.storage.stat(file.key);
    // The bucket still has the file.
    if (stored?.size === file.size) continue;
    try {
      const content = readPooled(source.place.files, list.head.pool, file, source.keys);
      await run.app.storage.put(file.key, toStream(content));
      run.done.files += 1;
      run.onProgress(run.done);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      missing.push(file.key);
    }
  }
  return missing;
};

const restoreRows = async (
  app: App,
  load: Load,
  checked: Checked,
  onProgress: OnProgress,
): Promise<Restored> => {
  const { manifest, source } = checked;
  const done = { database: 0, files: 0 };
  const tables = new Map(manifest.tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const run: Run = { app, load, tables, done, onProgress };
  let isWhole = false;
  for await (const entry of entriesOf(source)) {
    await restoreEntry(run, entry);
    isWhole = entry.name === "end.json";
  }
  // It was whole when it was checked, so it has changed since.
  if (!isWhole) throw damaged(source.shown);
  const missing = await restorePool(run, checked);
  return { files: done.files, missing };
};

/** Restores into the empty database and the storage of `app`; after that the server can start on the folder. */
export const restoreInto = async (
  app: App,
  url: string,
  checked: Checked,
  onProgress: OnProgress = () => {},
): Promise<Restored> => {
  const { manifest } = checked;
  if (!(await isEmptyDatabase(app.sql))) throw notEmpty();
  await markDatabase(app.sql);
  await migrate(app.sql, url, manifest.migrations);
  const connection = await app.sql.reserve();
  let restored: Restored;
  try {
    restored = await restoreRows(
      app,
      await startLoad(connection, manifest.tables),
      checked,
      onProgress,
    );
  } catch (error) {
    if (app.config.database.url === null || !(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      `${error.message} The database has a part of the backup: empty it before you try again.`,
    );
  } finally {
    connection.release();
  }
  await unmarkDatabase(app.sql);
  unmarkFolder(app.config.dataDir);
  return restored;
};
