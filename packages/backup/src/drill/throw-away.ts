// A temporary server of a backup: its database, files and secrets are in a folder that is removed afterwards, nothing
// that follows from a request is done, and nothing leaves the machine.

import { mkdtempSync } from "node:fs";
import { rm, statfs } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeApp,
  createApp,
  isHttpsDefault,
  readConfig,
  withSecrets,
  startEmbedded,
  migrate,
  keepSiteNames,
  ConfigError,
  FetchRefused,
  startWeb,
} from "../uses.ts";
import { namesOf } from "../check.ts";
import { prepareFolder, restoreInto } from "../restore.ts";
import type { App, Config, GuardedFetch } from "../uses.ts";
import type { Checked } from "../check.ts";
import type { Restored } from "../restore.ts";

export const FOLDER_PREFIX = "rookery-drill-";

const refuse = (): never => {
  throw new FetchRefused("address", "a drill sends nothing to other servers");
};
const CLOSED: GuardedFetch = {
  check: refuse,
  request: async () => refuse(),
  open: async () => refuse(),
  close: async () => {},
};

/** Configures the names of the backup's server, and none of this machine's settings. */
const configIn = (dataDir: string, checked: Checked): Config => {
  const { local_domain: localDomain, web_domain: webDomain } = checked.manifest;
  const names = namesOf(checked) ?? { localDomain, webDomain, https: isHttpsDefault(webDomain) };
  return readConfig({
    LOCAL_DOMAIN: names.localDomain,
    WEB_DOMAIN: names.webDomain,
    LOCAL_HTTPS: String(names.https),
    PORT: "0",
    BIND: "127.0.0.1",
    DATA_DIR: dataDir,
    DISK_RESERVE_MB: "0",
    RATE_LIMITS: "false",
    PREVIEW_CARDS: "false",
    LOG_LEVEL: "silent",
  });
};

const MEGABYTE = 1024 ** 2;
/** Bytes of an empty database with its log. */
const EMPTY_BYTES = 150 * MEGABYTE;
/** Factor by which rows with their indexes exceed their text. */
const ROWS_FACTOR = 3;

const bytesNeeded = ({ unpacked }: Checked): number =>
  EMPTY_BYTES + ROWS_FACTOR * unpacked.database + unpacked.media;

/** Throws ConfigError where the temporary folder has no room for the backup. */
export const refuseSmallFolder = async (checked: Checked, parent = tmpdir()): Promise<void> => {
  const { bavail, bsize } = await statfs(parent);
  const [needed, free] = [bytesNeeded(checked), bavail * bsize].map((bytes) =>
    Math.ceil(bytes / MEGABYTE),
  );
  if (free! >= needed!) return;
  throw new ConfigError(
    `A drill of this backup needs ${needed} MB in ${parent}, where ${free} MB are free: set TMPDIR to a folder with more room.`,
  );
};

export type ThrowAway = {
  app: App;
  databaseUrl: string;
  /** Address where the server listens: `http://127.0.0.1:PORT`. */
  address: string;
  restored: Restored;
};

type OnProgress = Parameters<typeof restoreInto>[3];
type Closers = (() => Promise<void>)[];

const open = async (
  dataDir: string,
  checked: Checked,
  closers: Closers,
  onProgress: OnProgress,
): Promise<ThrowAway> => {
  const config = configIn(dataDir, checked);
  prepareFolder(config, checked);
  const database = await startEmbedded({ dataDir, durable: false, restoring: true });
  closers.push(() => database.stop());
  const app = createApp({
    config: withSecrets(config),
    databaseUrl: database.url,
    fetch: CLOSED,
  });
  closers.push(() => closeApp(app));
  const restored = await restoreInto(app, database.url, checked, onProgress);
  // A start does the same.
  await migrate(app.sql, database.url);
  await keepSiteNames(app.sql, config.site);
  const web = await startWeb(app);
  closers.push(() => web.close());
  const { port } = web.server.address() as AddressInfo;
  return { app, databaseUrl: database.url, address: `http://127.0.0.1:${port}`, restored };
};

/** Closes everything; after an interruption the database first, which ends what still runs. */
const closeAll = async (closers: Closers, isInterrupted: boolean): Promise<void> => {
  while (closers.length > 0) {
    const close = (isInterrupted ? closers.shift() : closers.pop())!;
    await close().catch(() => {});
  }
};

/** Rejects with the reason of the signal. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

/**
 * Restores a checked backup, serves it while `work` runs, and removes everything, also after a failure and when the
 * signal ends it.
 */
export const withThrowAway = async <T>(
  checked: Checked,
  signal: AbortSignal,
  onProgress: (done: { database: number; files: number }) => void,
  work: (server: ThrowAway) => Promise<T>,
): Promise<T> => {
  const dataDir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  const closers: Closers = [];
  const watched: OnProgress = (done) => {
    signal.throwIfAborted();
    onProgress(done);
  };
  const running = open(dataDir, checked, closers, watched).then(work);
  try {
    return await Promise.race([running, aborted(signal)]);
  } finally {
    await closeAll(closers, signal.aborted);
    await running.catch(() => {});
    // This closes what was opened meanwhile.
    await closeAll(closers, signal.aborted);
    await rm(dataDir, { recursive: true, force: true });
  }
};
