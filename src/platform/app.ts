// The one object that every function takes first: the ports and the configuration. Which adapter
// stands behind a port is chosen in src/app.ts and nowhere else.

import type { FullConfig } from "./config/config.ts";
import type { Sql } from "./db/index.ts";
import type { GuardedFetch } from "./fetch/index.ts";
import type { Feeds } from "./feeds/index.ts";
import type { Jobs } from "./jobs/index.ts";
import type { Kv } from "./kv/index.ts";
import type { Logger } from "./log/index.ts";
import type { Mailer } from "./mail/index.ts";
import type { Outbox } from "./outbox/index.ts";
import type { PubSub } from "./pubsub/index.ts";

/**
 * Finding remote things, declared here and filled by federation in src/app.ts, so that a slice
 * can ask for a stranger without importing federation. Answers are ids of rows that now exist.
 */
export type Remote = {
  /** `name@host` → account id; null when there is none or it cannot be reached. */
  account(handle: string): Promise<string | null>;
  /** Any address of an actor or object, or its page → what it is. */
  address(url: string): Promise<{ kind: "account" | "status"; id: string } | null>;
  /** Reads a known status of another server anew; false when it cannot be had. */
  refreshStatus(uri: string): Promise<boolean>;
};

export type Clock = { now(): Date };

export type App = {
  config: FullConfig;
  sql: Sql;
  jobs: Jobs;
  outbox: Outbox;
  pubsub: PubSub;
  feeds: Feeds;
  kv: Kv;
  mail: Mailer;
  fetch: GuardedFetch;
  remote: Remote;
  clock: Clock;
  log: Logger;
};
