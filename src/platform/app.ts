// The one object that every function takes first: the ports and the configuration. Which adapter
// stands behind a port is chosen in src/app.ts and nowhere else.

import type { Caches } from "./caches/register.ts";
import type { FullConfig } from "./config/config.ts";
import type { Sql } from "./db/index.ts";
import type { Replica } from "./db/replica.ts";
import type { GuardedFetch } from "./fetch/index.ts";
import type { Pulse } from "./health/pulse.ts";
import type { Feeds } from "./feeds/index.ts";
import type { Jobs } from "./jobs/index.ts";
import type { Counters, Kv } from "./kv/index.ts";
import type { Logger } from "./log/index.ts";
import type { Mailer } from "./mail/index.ts";
import type { Meters } from "./metrics/index.ts";
import type { Outbox } from "./outbox/index.ts";
import type { Pictures } from "./pictures/index.ts";
import type { PubSub } from "./pubsub/index.ts";
import type { Connection } from "./redis/connection.ts";
import type { Files, Storage } from "./storage/index.ts";
import type { Tracing } from "./tracing/index.ts";
import type { Video } from "./video/index.ts";

/**
 * Looking up remote accounts and statuses. Declared here and implemented by federation (src/app.ts), so
 * that a slice can look one up without importing federation. Results are ids of stored rows.
 */
export type Remote = {
  /** `name@host` → account id; null when there is none or it cannot be reached. */
  account(handle: string): Promise<string | null>;
  /**
   * The URI of an actor or object, or the URL of its page → what it is. Without `mayFetch` only what is stored
   * is found by an address of this server.
   */
  address(
    url: string,
    mayFetch?: boolean,
  ): Promise<{ kind: "account" | "status" | "collection"; id: string } | null>;
  /** Fetches a known remote account again; false when it cannot be fetched. */
  refreshAccount(uri: string): Promise<boolean>;
  /** Reads how many posts, followers and followed a remote account has, where that was never read. */
  readTotals(id: string): Promise<void>;
  /** Fetches a known remote status again; false when it cannot be fetched. */
  refreshStatus(uri: string): Promise<boolean>;
};

export type Clock = { now(): Date };

/** One process among all that use the same database. */
export type Process = {
  /** Owner name that this process writes into the rows that it claims. */
  readonly id: string;
  /** True when no other process works on this database. */
  readonly isAlone: boolean;
  /** Number of processes that this one found dead. */
  takeovers: number;
  /** True once the process only finishes the work it has and claims none. */
  isStopping: boolean;
};

export type CacheSync = {
  /**
   * Waits until everything that other processes have published so far is invalidated here; false when nothing can be
   * received now.
   */
  caughtUp(): Promise<boolean>;
  /** Waits until everything that this process has invalidated so far is published to the other processes. */
  published(): Promise<void>;
  /**
   * Says that these events of the outbox are committed; the keys that their commits invalidate were passed on before.
   */
  wrote(eventIds: string[]): void;
  /**
   * Whether this process has dropped everything that was invalidated by the commits of these events of other processes.
   * Answers once for each event.
   */
  hasReceived(eventIds: string[]): boolean;
  close(): void;
};

export type App = {
  config: FullConfig;
  process: Process;
  sql: Sql;
  /** A copy of the database that may answer reads, or null where there is none. */
  replica: Replica | null;
  jobs: Jobs;
  outbox: Outbox;
  pubsub: PubSub;
  feeds: Feeds;
  kv: Kv;
  /** Counts requests for the rate limits. */
  counters: Counters;
  mail: Mailer;
  /** Stores media files. */
  storage: Storage;
  /** Holds uploaded files until they are processed; null where a folder of this machine does (storage/uploads.ts). */
  uploads: Files | null;
  pictures: Pictures;
  /** Runs ffmpeg; null where it is not installed. */
  video: Video | null;
  fetch: GuardedFetch;
  remote: Remote;
  /** Registers everything that this process holds in memory. */
  caches: Caches;
  /**
   * The connection to Valkey, which also keeps the caches of several processes consistent; null where this is the only
   * process.
   */
  redis: Connection | null;
  cacheSync: CacheSync | null;
  /** Whether the database and the disk can be used, and how late work is; checked while the process serves. */
  pulse: Pulse;
  /** The metrics of /metrics. */
  meters: Meters;
  /** Sends traces; null where nobody collects them. */
  tracing: Tracing | null;
  clock: Clock;
  log: Logger;
  /** True when rows are read from the database and never from a cache. */
  fresh: boolean;
};

/**
 * Returns the App as jobs get it. A job that follows from a commit may run before the caches of its process are
 * invalidated (long before, with several processes) and has to see what was committed, so it reads no caches.
 */
export const freshApp = (app: App): App =>
  Object.create(app, { fresh: { value: true, enumerable: true } });

/** Returns the App for code that only reads: its statements may go to the replica (db/replica.ts). */
export const readingApp = (app: App): App =>
  app.replica === null
    ? app
    : Object.create(app, { sql: { value: app.replica.sql, enumerable: true } });

/** Returns the App that freshApp and readingApp were derived from; everything in memory belongs to it. */
export const baseApp = (app: App): App => {
  const below = Object.getPrototypeOf(app) as App;
  return below === Object.prototype ? app : baseApp(below);
};
