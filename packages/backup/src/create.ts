// `rookery backup` writes the database under one snapshot, the secrets and the media, while the server runs
// (docs/design/backups.md).

import type { ReservedSql } from "postgres";
import {
  ConfigError,
  VARIABLES,
  VERSION,
  connect,
  holdFiles,
  reasonOf,
  readEnvironment,
} from "./uses.ts";
import type { App, Files } from "./uses.ts";
import { writeArchive } from "./archive.ts";
import type { ArchiveWriter } from "./archive.ts";
import { beginSnapshot, dumpTables, readContents, UNLIMITED } from "./dump.ts";
import type { Contents } from "./dump.ts";
import { packMedia, poolOf, readList, syncMedia, writeList } from "./media.ts";
import type { Copied, MediaFile } from "./media.ts";
import { backupsIn, fileOf, listOf, nameFor } from "./names.ts";
import type { Place } from "./place.ts";
import { insertOutcome } from "./queries-outcomes.ts";
import { createKeys } from "./sealed.ts";
import type { Keys } from "./sealed.ts";

/** The first entry of a backup, which describes the others. */
export type Manifest = Contents & {
  format: 1;
  version: string;
  created_at: string;
  local_domain: string;
  web_domain: string;
  /** Absent in backups of earlier versions. */
  https?: boolean;
  /** Whether the media are in the backup or in a folder beside it. */
  media: "inside" | "beside";
  /** Names of the environment variables that were set. */
  variables: string[];
};

/** The last entry of a backup. Without it the backup is incomplete. */
export type End = { entries: number };

export type Progress = (done: { database: number } & Copied) => void;

export type BackupResult = {
  name: string;
  bytes: number;
  database_bytes: number;
  files: number;
  files_copied: number;
};

const setVariables = (): string[] => {
  const environment = readEnvironment();
  return VARIABLES.map(({ name }) => name).filter((name) => environment[name]);
};

const manifestOf = ({ config, clock }: App, place: Place, contents: Contents): Manifest => ({
  format: 1,
  version: VERSION,
  created_at: clock.now().toISOString(),
  local_domain: config.site.localDomain,
  web_domain: config.site.webDomain,
  https: config.site.https,
  media: place.name === null ? "beside" : "inside",
  variables: setVariables(),
  ...contents,
});

type Run = {
  app: App;
  url: string;
  place: Place;
  keys: Keys | null;
  counted: { database: number } & Copied;
  progress: Progress;
};

/** Wraps a writer to count every entry and report progress. */
const counting = (archive: ArchiveWriter, entries: { count: number }): ArchiveWriter => ({
  add(name, content) {
    entries.count += 1;
    return archive.add(name, content);
  },
  stream(name, size, source) {
    entries.count += 1;
    return archive.stream(name, size, source);
  },
});

/** Runs `work` with a connection of its own. */
const reserved = async <T>(
  url: string,
  application: string,
  work: (connection: ReservedSql) => Promise<T>,
): Promise<T> => {
  const sql = connect(url, { max: 1, application });
  const connection = await sql.reserve();
  try {
    return await work(connection);
  } finally {
    connection.release();
    await sql.end({ timeout: 5 });
  }
};

const writeDatabase = async (run: Run, archive: ArchiveWriter): Promise<void> => {
  const { app, url, place, counted } = run;
  await reserved(url, "rookery backup", async (connection) => {
    await beginSnapshot(connection);
    const contents = await readContents(connection);
    await archive.add("manifest.json", JSON.stringify(manifestOf(app, place, contents)));
    await archive.add("secrets.json", JSON.stringify(app.config.secrets));
    await dumpTables(connection, contents.tables, archive, (bytes) => {
      counted.database += bytes;
      run.progress(counted);
    });
    await connection.unsafe("COMMIT");
  });
};

const writeFile = (run: Run, name: string): Promise<void> =>
  writeArchive(
    run.keys,
    (body) => run.place.files.put(name, body),
    async (archive) => {
      const entries = { count: 0 };
      const counted = counting(archive, entries);
      await writeDatabase(run, counted);
      if (run.place.name !== null) await packMedia(run.app.storage, counted, onProgress(run));
      const end: End = { entries: entries.count };
      await archive.add("end.json", JSON.stringify(end));
    },
  );

/** Counts each file and reports progress. */
const onProgress =
  ({ counted, progress }: Run) =>
  (file: { size: number; isCopied: boolean }) => {
    counted.files += 1;
    if (file.isCopied) {
      counted.copied += 1;
      counted.bytes += file.size;
    }
    progress(counted);
  };

async function* nothing(): AsyncGenerator<MediaFile> {}

/**
 * Yields the media of the newest backup in the folder, which need not be copied again. Throws ConfigError when it
 * belongs to another server or has another passphrase.
 */
const previousMedia = async ({ app, place, keys }: Run): Promise<AsyncGenerator<MediaFile>> => {
  const newest = (await backupsIn(place.files)).whole.at(-1);
  if (newest === undefined) return nothing();
  const { head, media } = await readList(place.files, listOf(newest), keys);
  if (head.domain !== app.config.site.localDomain) {
    await media.return(undefined);
    throw new ConfigError(
      `${place.shown} has the backups of ${head.domain}: choose another folder for those of ${app.config.site.localDomain}.`,
    );
  }
  return media;
};

const writeInto = async (run: Run): Promise<string> => {
  const { app, place, keys } = run;
  const previous = await previousMedia(run);
  const name = nameFor(app.clock.now());
  await writeFile(run, fileOf(name));
  const media = syncMedia(app.storage, place.files, {
    previous,
    keys,
    onProgress: onProgress(run),
  });
  const head = { domain: app.config.site.localDomain, pool: poolOf(keys) };
  await writeList(place.files, listOf(name), keys, { head, media });
  return fileOf(name);
};

const writeOne = async (run: Run, name: string): Promise<string> => {
  if (await run.place.files.stat(name)) {
    throw new ConfigError(`${run.place.shown} exists already: choose another name.`);
  }
  await writeFile(run, name);
  return name;
};

const sizeOf = async (files: Files, name: string): Promise<number> =>
  (await files.stat(name))?.size ?? 0;

const write = async (run: Run): Promise<BackupResult> => {
  const { place, counted } = run;
  const name = await (place.name === null ? writeInto(run) : writeOne(run, place.name));
  return {
    name,
    bytes: await sizeOf(place.files, name),
    database_bytes: counted.database,
    files: counted.files,
    files_copied: counted.copied,
  };
};

/**
 * Runs `work` while no media file can be deleted, so that every file that the snapshot names still exists when it is
 * copied. Returns null where another backup is being made.
 */
const whileHeld = <T>(url: string, work: () => Promise<T>): Promise<T | null> =>
  reserved(url, "rookery backup hold", async (connection) => {
    await connection.unsafe(UNLIMITED);
    await connection.unsafe("BEGIN");
    if (!(await holdFiles(connection))) return null;
    const result = await work();
    // This throws when the connection was lost meanwhile.
    await connection.unsafe("COMMIT");
    return result;
  });

export type BackupOptions = { passphrase: string | null; progress?: Progress };

/** Writes a backup and stores how it went. Throws ConfigError for faults that the administrator can correct. */
export const createBackup = async (
  app: App,
  url: string,
  place: Place,
  { passphrase, progress = () => {} }: BackupOptions,
): Promise<BackupResult> => {
  const keys = passphrase === null ? null : createKeys(passphrase);
  const counted = { database: 0, files: 0, copied: 0, bytes: 0 };
  const run: Run = { app, url, place, keys, counted, progress };
  const started_at = app.clock.now();
  const storeOutcome = (bytes: number, fault: string | null) =>
    insertOutcome(app.sql, {
      started_at,
      finished_at: app.clock.now(),
      place: place.shown,
      bytes,
      files: counted.files,
      fault,
    });
  let result: BackupResult | null;
  try {
    result = await whileHeld(url, () => write(run));
    if (result) await storeOutcome(result.bytes, null);
  } catch (error) {
    // Nothing can be stored while the database is away; the first error is the one to throw.
    await storeOutcome(0, reasonOf(error)).catch(() => {});
    throw error;
  }
  // A null result is no failure: another backup runs, and stores its own outcome.
  if (result) return result;
  throw new ConfigError("Another backup is being made: try again when it has finished.");
};
