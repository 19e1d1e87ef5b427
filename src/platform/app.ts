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

/** This process among those on the same database. */
export type Process = {
  /** The owner of what it claims. */
  readonly id: string;
  /** No other one works on this database. */
  readonly isAlone: boolean;
  /** How many processes it found dead. */
  takeovers: number;
  /** It finishes what it has, and takes nothing new. */
  isStopping: boolean;
};

export type CacheSync = {
  /** What others have published so far is invalidated here; false: nothing is received now. */
  caughtUp(): Promise<boolean>;
  /** What this process has invalidated so far is published to the others. */
  published(): Promise<void>;
  /** These events of the outbox are committed, and what their commits invalidate was said before. */
  wrote(eventIds: string[]): void;
  /** Whether all that the commits of these events of other processes invalidated is dropped here; asked once. */
  hasReceived(eventIds: string[]): boolean;
  close(): void;
};

export type App = {
  config: FullConfig;
  process: Process;
  sql: Sql;
  /** A copy of the database that may answer reads; null: there is none. */
  replica: Replica | null;
  jobs: Jobs;
  outbox: Outbox;
  pubsub: PubSub;
  feeds: Feeds;
  kv: Kv;
  /** Of rate limits. */
  counters: Counters;
  mail: Mailer;
  /** Files. */
  storage: Storage;
  /** Uploaded files until they are processed; null: a folder of this machine (storage/uploads.ts). */
  uploads: Files | null;
  pictures: Pictures;
  /** null: there is no ffmpeg. */
  video: Video | null;
  fetch: GuardedFetch;
  remote: Remote;
  /** All that this process holds in memory. */
  caches: Caches;
  /** Valkey, and what keeps the caches of several processes right by it; null: this is the only process. */
  redis: Connection | null;
  cacheSync: CacheSync | null;
  /** Whether the database and the disk can be used, and how late work is; looked at while the process serves. */
  pulse: Pulse;
  /** What is counted for /metrics. */
  meters: Meters;
  /** null: nobody collects traces. */
  tracing: Tracing | null;
  clock: Clock;
  log: Logger;
  /** Rows that are read come from the database, never from a cache. */
  fresh: boolean;
};

/**
 * The App as jobs get it: a job that follows from a commit may run before the caches of its process are
 * invalidated (with several processes: long before), and has to see what was committed.
 */
export const freshApp = (app: App): App =>
  Object.create(app, { fresh: { value: true, enumerable: true } });

/** The App for reading alone, which the replica may do (db/replica.ts). */
export const readingApp = (app: App): App =>
  app.replica === null
    ? app
    : Object.create(app, { sql: { value: app.replica.sql, enumerable: true } });

/** The one that everything in memory belongs to. */
export const baseApp = (app: App): App => {
  const below = Object.getPrototypeOf(app) as App;
  return below === Object.prototype ? app : baseApp(below);
};
