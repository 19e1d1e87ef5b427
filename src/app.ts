// Builds the App: the only place where adapters are chosen for ports.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { App, Clock } from "./platform/app.ts";
import { BoundedCache } from "./platform/caches/bounded.ts";
import { createCaches } from "./platform/caches/register.ts";
import type { Caches } from "./platform/caches/register.ts";
import type { Config, FullConfig } from "./platform/config/config.ts";
import { connect } from "./platform/db/index.ts";
import type { Sql } from "./platform/db/index.ts";
import { createReplica } from "./platform/db/replica.ts";
import { EVERYTHING, onInvalidateKey } from "./platform/db/commits.ts";
import type { Feed } from "./platform/feeds/feed.ts";
import { memoryFeeds } from "./platform/feeds/memory.ts";
import { redisFeeds } from "./platform/feeds/redis.ts";
import { watchQueries } from "./platform/db/traced.ts";
import { createFetch } from "./platform/fetch/index.ts";
import type { GuardedFetch } from "./platform/fetch/index.ts";
import { watchedFetch } from "./platform/fetch/watched.ts";
import { createNames } from "./platform/fetch/names.ts";
import { createPulse } from "./platform/health/pulse.ts";
import { DEFAULT_RETRIES } from "./platform/jobs/index.ts";
import type { JobName } from "./platform/jobs/index.ts";
import { createJobs } from "./platform/jobs/queue.ts";
import type { CounterKind } from "./platform/kv/index.ts";
import { memoryCounters, memoryKv } from "./platform/kv/memory.ts";
import { redisKv } from "./platform/kv/redis.ts";
import { createLogger } from "./platform/log/index.ts";
import type { Logger } from "./platform/log/index.ts";
import { createMailer } from "./platform/mail/create.ts";
import { createMeters } from "./platform/metrics/index.ts";
import { createOutbox } from "./platform/outbox/emit.ts";
import { createPictures } from "./platform/pictures/index.ts";
import { isUploadKey, uploadFolder } from "./platform/storage/uploads.ts";
import { createVideo } from "./platform/video/index.ts";
import { bothStorage } from "./platform/storage/both.ts";
import { diskStorage } from "./platform/storage/disk.ts";
import { s3Files, s3Storage } from "./platform/storage/s3.ts";
import type { Files, Storage } from "./platform/storage/index.ts";
import type { Tracing } from "./platform/tracing/index.ts";
import { memoryPubSub } from "./platform/pubsub/memory.ts";
import { redisPubSub } from "./platform/pubsub/redis.ts";
import { createCacheSync } from "./platform/redis/cache-sync.ts";
import { connectRedis } from "./platform/redis/connection.ts";
import type { Connection } from "./platform/redis/connection.ts";
import { createRemote } from "./federation/resolve.ts";
import { CACHE_SHARES, POOLED_CACHES } from "./cache-shares.ts";
import { VERSION } from "./platform/version.ts";

type AppOptions = {
  config: FullConfig;
  /** URL of the database, which is embedded or external; the caller decides which. */
  databaseUrl: string;
  clock?: Clock;
  log?: Logger;
  fetch?: GuardedFetch;
  /** Closed by the caller that opened it, after the app. */
  tracing?: Tracing | null;
  /**
   * Milliseconds that a server's statement waits for a lock; commands wait as long as it takes, for example for an
   * index.
   */
  lockTimeout?: number;
};

/** Number of attempts of a job. They are not in src/jobs.ts, so that enqueuing loads no handlers. */
const RETRIES: Partial<Record<JobName, number>> = {
  // The stored actor stays valid, and its next use enqueues another refresh.
  "actor.refresh": 5,
  // A later post with the link tries again.
  "card.wanted": 5,
  // A quote that is not verified within an hour or two stays hidden.
  "quote.check": 8,
  // Links are verified again after a week anyway.
  "account.links": 4,
};

const outboundClient = (config: FullConfig, caches: Caches): GuardedFetch => {
  const names = createNames({ maxBytes: caches.budget("host names") });
  caches.register("host names", names.cache);
  return createFetch({
    allowedPrivateAddresses: config.outbound.allowedPrivateAddresses,
    allowHttp: !config.site.https,
    userAgent: `Rookery/${VERSION} (+${config.site.origin}/)`,
    lookup: names.lookup,
  });
};

/** Creates the ports for what can be made again: in memory, within their share of it, or in Valkey. */
const makeStores = (config: FullConfig, log: Logger, redis: Connection | null) => {
  const caches = createCaches(config.caches.megabytes, CACHE_SHARES, POOLED_CACHES);
  const feeds = memoryFeeds(caches.budget("feeds"));
  const kv = memoryKv(caches.budget("key-value"));
  const counters = memoryCounters(caches.budget);
  caches.register("feeds", feeds.cache);
  caches.register("key-value", kv.cache);
  caches.register("counters of people", counters.person.cache);
  caches.register("counters of logins", counters.login.cache);
  caches.register("counters of addresses", counters.address.cache);
  caches.register("counters of requests", counters.request.cache);
  const onFault = (error: unknown) => log.error({ err: error }, "a listener failed");
  if (!redis) return { caches, feeds, kv, counters, pubsub: memoryPubSub(onFault) };
  const copies = new BoundedCache<Feed>(caches.room("feeds"), ({ entries }) => entries.byteLength);
  caches.register("copies of feeds", copies);
  const shared = (kind: CounterKind) => redisKv(redis, kind, counters[kind]);
  return {
    caches,
    feeds: redisFeeds(redis, feeds, copies),
    kv: redisKv(redis, "kv", kv),
    counters: {
      person: shared("person"),
      login: shared("login"),
      address: shared("address"),
      request: shared("request"),
    },
    pubsub: redisPubSub(redis, onFault),
  };
};

const createDisk = ({ storage, dataDir }: Config): Storage => {
  const folder = join(dataDir, "media");
  return diskStorage(folder, storage.sendfile ? folder : storage.accelPrefix);
};

/** `other` may have files that are not in the main storage yet. */
export const createStorages = (config: Config): { main: Storage; other: Storage | null } => {
  const { s3, main } = config.storage;
  if (!s3) return { main: createDisk(config), other: null };
  if (main === "disk") return { main: createDisk(config), other: s3Storage(s3, s3.folder) };
  const hasDisk = existsSync(join(config.dataDir, "media"));
  return { main: s3Storage(s3, s3.folder), other: hasDisk ? createDisk(config) : null };
};

const createStorage = (config: FullConfig): Storage => {
  const { main, other } = createStorages(config);
  return other ? bothStorage(main, other) : main;
};

/** Returns null for the folder of this machine. */
const createUploads = ({ storage: { s3, main } }: FullConfig): Files | null =>
  s3 && main === "s3"
    ? s3Files(s3, isUploadKey, [s3.folder, "uploads"].filter(Boolean).join("/"))
    : null;

const openReplica = ({ database }: FullConfig, primary: Sql, log: Logger) => {
  const { replica: url, pooler, pool: max } = database;
  const how = { max, application: "rookery reads", isPooled: pooler !== null };
  return url === null ? null : createReplica({ url, primary, log, ...how });
};

export const createApp = (options: AppOptions): App => {
  const { config, databaseUrl } = options;
  const log = options.log ?? createLogger(config.log);
  const redis =
    config.redisUrl === null
      ? null
      : connectRedis(config.redisUrl, `${config.site.localDomain}:`, log);
  const stores = makeStores(config, log, redis);
  const { tracing = null } = options;
  const meters = createMeters();
  const { pooler } = config.database;
  const sql = connect(pooler ?? databaseUrl, {
    direct: pooler === null ? null : databaseUrl,
    max: config.database.pool,
    application: "rookery",
    onNotice: (text) => log.debug(text),
    ...(options.lockTimeout !== undefined && { lockTimeout: options.lockTimeout }),
  });
  const process = {
    id: randomUUID(),
    isAlone: config.redisUrl === null,
    takeovers: 0,
    isStopping: false,
  };
  const meter = config.http.metricsToken === null ? null : meters.queries;
  if (tracing || meter) watchQueries(sql, { tracing, meter });
  const app: App = {
    config,
    process,
    sql,
    replica: openReplica(config, sql, log),
    jobs: createJobs((name) => RETRIES[name] ?? DEFAULT_RETRIES),
    outbox: createOutbox(process),
    ...stores,
    redis,
    cacheSync: null,
    mail: createMailer(config, log),
    storage: createStorage(config),
    uploads: createUploads(config),
    pictures: createPictures({
      processes: config.media.processes,
      folder: uploadFolder(config.dataDir),
    }),
    video: createVideo(config.media.ffmpeg, config.media.processes),
    fetch: watchedFetch(options.fetch ?? outboundClient(config, stores.caches), tracing, meters),
    remote: {
      account: async () => null,
      address: async () => null,
      refreshAccount: async () => false,
      refreshStatus: async () => false,
      readTotals: async () => {},
    },
    pulse: createPulse({ sql, log, ...config.disk }),
    meters,
    tracing,
    clock: options.clock ?? { now: () => new Date() },
    log,
    fresh: false,
  };
  app.remote = createRemote(app);
  onInvalidateKey(sql, EVERYTHING, () => stores.caches.clear());
  if (redis) app.cacheSync = createCacheSync(app, redis);
  return app;
};

/** Closes everything that createApp opened. */
export const closeApp = async (app: App): Promise<void> => {
  app.pulse.stop();
  app.mail.close();
  app.storage.close();
  app.uploads?.close();
  app.pictures.close();
  app.caches.close();
  const stores = [app.kv, ...Object.values(app.counters)];
  await Promise.all([
    app.pubsub.close(),
    app.feeds.close(),
    ...stores.map((store) => store.close()),
    app.fetch.close(),
  ]);
  app.cacheSync?.close();
  app.redis?.close();
  await app.replica?.end();
  await app.sql.end({ timeout: 5 });
};
