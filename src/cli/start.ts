// The command `rookery start` opens the database, migrates, starts the roles, and shuts down without losing anything.

import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { App } from "../platform/app.ts";
import {
  readConfig,
  readEnvironment,
  readVariables,
  withSecrets,
} from "../platform/config/config.ts";
import type { Config, FullConfig } from "../platform/config/config.ts";
import { checkDatabase, connect, learnTypes } from "../platform/db/index.ts";
import { hasDatabase, startEmbedded } from "../platform/db/embedded.ts";
import { isSchema, migrate } from "../platform/db/migrate.ts";
import { keepSiteNames } from "../platform/db/site-names.ts";
import { holdDatabase } from "../platform/db/single.ts";
import { LOCK_TIMEOUT_MS } from "../platform/db/spare-connection.ts";
import { ConfigError } from "../platform/errors.ts";
import { ROLES } from "../roles/roles.ts";
import type { Role } from "../roles/roles.ts";
import { tryListening } from "../platform/http/listening.ts";
import { holdSecrets } from "../platform/redis/same-secrets.ts";
import { createLogger } from "../platform/log/index.ts";
import type { Logger } from "../platform/log/index.ts";
import { openServiceManager } from "../platform/service-manager.ts";
import type { ServiceManager } from "../platform/service-manager.ts";

/** Functions that close what was opened, in order; they run in reverse order. */
type Closers = (() => Promise<void>)[];

const isRole = (role: string): role is Role => (ROLES as readonly string[]).includes(role);

const checkRoles = (names: string[]): Role[] => {
  const unknown = names.find((role) => !isRole(role));
  if (unknown !== undefined) {
    throw new ConfigError(
      `Unknown role "${unknown}" in --roles. The roles are ${ROLES.join(", ")}.`,
    );
  }
  return ROLES.filter((role) => names.includes(role));
};

/** Throws where several processes run without stores that they can share. */
const checkShared = (roles: Role[], { redisUrl, database }: Config): void => {
  if (roles.length === ROLES.length) return;
  if (redisUrl === null) {
    throw new ConfigError(
      "Running roles in separate processes requires Valkey or Redis: set REDIS_URL, or start with all roles.",
    );
  }
  if (database.url === null) {
    throw new ConfigError(
      "Running roles in separate processes requires a PostgreSQL that all of them reach: set DATABASE_URL, or start with all roles.",
    );
  }
};

type Database = { url: string; onExit(callback: () => void): void };

const openDatabase = async (config: Config, log: Logger, closers: Closers): Promise<Database> => {
  if (config.database.url) return { url: config.database.url, onExit() {} };
  if (!hasDatabase(config.dataDir))
    log.info("creating the database: this takes a few seconds, once");
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    insist: config.dataDirWithoutLocks,
    log: (line) =>
      log[/^(?:ended|FATAL|PANIC|EmbeddedPostgresError)/.test(line) ? "warn" : "debug"](
        { postgres: line },
        "the built-in database",
      ),
  });
  closers.push(() => embedded.stop());
  return embedded;
};

/**
 * Loads most of the code, which takes a second, while the database is created or starts. It is loaded in parts, each of
 * which blocks this thread: between them, and before the first, the database takes its next step.
 */
export const loadServer = async (roles: Role[]) => {
  await nextTurn();
  await import("../platform/http/create-server.ts");
  await nextTurn();
  const { closeApp, createApp } = await import("../app.ts");
  await nextTurn();
  const worker = roles.includes("worker") ? await import("../roles/worker.ts") : null;
  await nextTurn();
  if (roles.includes("web")) await import("../routes.ts");
  const { startWeb } = await import("../roles/web.ts");
  const { ownerSetupLink } = await import("../domain/people/users/owner-setup.ts");
  return { closeApp, createApp, startWeb, ownerSetupLink, startJobs: worker?.startJobs };
};

type Server = Awaited<ReturnType<typeof loadServer>>;

const openApp = async (
  { createApp, closeApp }: Server,
  { config, log, url }: { config: FullConfig; log: Logger; url: string },
  closers: Closers,
) => {
  const tracing = config.tracing
    ? (await import("../platform/tracing/otel.ts")).openTracing(config.tracing)
    : null;
  if (tracing) closers.push(() => tracing.close());
  const app = createApp({ config, databaseUrl: url, log, tracing, lockTimeout: LOCK_TIMEOUT_MS });
  closers.push(() => closeApp(app));
  if (app.redis) {
    const release = await holdSecrets(app.redis, config.secrets);
    closers.push(async () => release());
  }
  // Migrations have a connection of their own: one that has migrated occupies 5 to 10 MB as long as it is open.
  const first = connect(url, { max: 1, application: "rookery start" });
  try {
    await checkDatabase(first, url);
    const onLost = () => {
      log.fatal("another Rookery process has taken over the database; this one ends");
      process.exit(1);
    };
    closers.push(await holdDatabase(app.sql, onLost, { isShared: config.redisUrl !== null }));
    const begun = performance.now();
    const applied = await migrate(first, url);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    // The connection that holds the process's lock was opened before the migrations.
    await learnTypes(app.sql);
    if (applied.some(isSchema)) log.info(`the database was set up (${seconds} s)`);
    else if (applied.length > 0) log.info({ applied }, "the database was brought up to date");
    await keepSiteNames(first, config.site);
    if (config.sso.provider?.secret === null)
      log.info(
        "OIDC_CLIENT_SECRET is not set: the provider has to know this server as a public client",
      );
  } finally {
    await first.end({ timeout: 5 });
  }
  return app;
};

const openRoles = async (
  { startJobs, startWeb }: Server,
  { app, url, roles }: { app: App; url: string; roles: Role[] },
  closers: Closers,
): Promise<void> => {
  if (startJobs) {
    const worker = await startJobs(app, url);
    closers.push(() => worker.stop());
  }
  const server = await startWeb(app, roles);
  closers.push(() => server.close());
};

const greet = async ({ ownerSetupLink }: Server, app: App, roles: Role[]): Promise<void> => {
  const { origin } = app.config.site;
  const { bind, port } = app.config.http;
  const what = roles.length === ROLES.length ? "Rookery" : `Rookery's ${roles.join(" and ")} role`;
  console.log(`${what} is running at ${origin} (listening on ${bind}:${port}).`);
  if (!roles.includes("web")) return;
  const link = await ownerSetupLink(app);
  if (link)
    console.log(
      `This server has no owner yet. Open this link to create the owner account:\n  ${link}`,
    );
};

const closeAll = async (closers: Closers): Promise<void> => {
  for (const close of closers.toReversed()) {
    await close().catch((error: unknown) => console.error(error));
  }
  closers.length = 0;
};

/** Milliseconds that open requests and running jobs may take to finish. */
const GRACE_MS = 30_000;

const stopOnSignals = (app: App, closers: Closers, log: Logger, manager: ServiceManager): void => {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    app.process.isStopping = true;
    manager.stopping();
    log.info({ signal }, "stopping: finishing requests and jobs in progress");
    const late = sleep(GRACE_MS, undefined, { ref: false }).then(() => process.exit(1));
    await Promise.race([closeAll(closers), late]);
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
};

/** Seconds of CPU in a minute that count as rest, and bytes by which memory has to grow until it is tidied again. */
const [REST_SECONDS, GROWN] = [1.5, 8 * 2 ** 20];

const memoryOfHeap = ({ heapTotal, external } = process.memoryUsage()): number =>
  heapTotal + external;

/** Lets glibc return free memory. Where bin/rookery.ts starts the server, it silences that this part of Node is new. */
const trim = (): void => {
  if (!process.execArgv.includes("--disable-warning=ExperimentalWarning")) return;
  try {
    const types = { malloc_trim: { arguments: ["u64"], return: "i32" } } as const;
    process.getBuiltinModule("node:ffi").dlopen(null, types).functions.malloc_trim(0n);
  } catch {
    // musl has no such function.
  }
};

/**
 * Collects garbage one second after the start, which takes 0.1 s and returns some 70 MB, and again at rest: V8 would
 * keep what was in caches that are empty by then. Such a collection also returns the memory of the young generation.
 */
const tidyMemory = (): void => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as (how: object) => void;
  setFlagsFromString("--no-expose-gc");
  let [tidied, before] = [0, process.cpuUsage()];
  const tidy = () => {
    collect({ type: "major", flavor: "last-resort" });
    trim();
    tidied = memoryOfHeap();
  };
  const look = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    if ((user + system) / 1e6 < REST_SECONDS && memoryOfHeap() > tidied + GROWN) tidy();
  };
  setTimeout(tidy, 1000).unref();
  setInterval(look, 60_000).unref();
};

/** Starts everything; when that fails, closes everything and throws (ConfigError for what the user can fix). */
export const start = async (names: string[]): Promise<void> => {
  const roles = checkRoles(names);
  const config = readConfig(readEnvironment());
  checkShared(roles, config);
  // Nothing is created for a server that could not draw its pages.
  if (roles.includes("web")) await (await import("../pages/web/bundle.ts")).checkBuilt();
  const log = createLogger(config.log);
  await tryListening(config.http);
  const closers: Closers = [];
  try {
    const [database, server] = await Promise.all([
      openDatabase(config, log, closers),
      loadServer(roles),
    ]);
    const { url } = database;
    const app = await openApp(server, { config: withSecrets(config), log, url }, closers);
    await openRoles(server, { app, url, roles }, closers);
    database.onExit(() => {
      log.fatal(
        "the built-in database has stopped and cannot be started again; see the log lines before this one",
      );
      process.exit(1);
    });
    const manager = openServiceManager(readVariables(), log);
    stopOnSignals(app, closers, log, manager);
    await greet(server, app, roles);
    manager.ready();
    tidyMemory();
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
};
