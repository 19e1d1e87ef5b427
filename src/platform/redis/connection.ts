// The connections to Valkey or Redis: one for commands, one for what is listened to. Nothing waits for a server
// that is away: commands fail at once, after a second at most, and whoever asked does without. It is the only copy
// of nothing (docs/decisions/0036-valkey.md).

import { createRequire } from "node:module";
import type { Redis } from "ioredis";
import type { Logger } from "../log/index.ts";

/** No answer in this time: the connection is dropped, and made again. */
const ANSWER_MS = 1000;
const MAX_PAUSE_MS = 1000;
/** A connection that only listens notices by this that nobody is there any more. */
const PING_MS = 5000;

export type Connection = {
  /** The commands; they fail while the server is away. */
  redis: Redis;
  /** Before each key and channel: several servers may share one Valkey. */
  prefix: string;
  /**
   * Changes with each start of Valkey: what it has loaded from a disk or got as a replica may lack the last
   * changes. Empty: not connected yet.
   */
  runId(): string;
  isUp(): boolean;
  /** Only to subscribe and to receive. */
  subscriber: Redis;
  /** Calls `up` when the subscriber is connected, now or later, and `down` when it is not any more. */
  watchSubscriber(up: () => void, down: () => void): void;
  /** Passes on what a command failed with, when that is not that the server is away. */
  onFault(error: unknown): void;
  close(): void;
};

/** ioredis is loaded where it is used: a process of its own does not need it. */
const load = () => createRequire(import.meta.url)("ioredis") as typeof import("ioredis");

const readRunId = async (redis: Redis): Promise<string> => {
  // Some services allow no INFO: then what was stored is trusted after a restart, until it expires.
  const info = await redis.info("server").catch(() => "");
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? "unknown";
};

export const connectRedis = (url: string, prefix: string, log: Logger): Connection => {
  const { Redis } = load();
  const open = (connectionName: string): Redis =>
    new Redis(url, {
      connectionName,
      protocol: 2,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      // A pipeline doubles the CPU of a command that is alone, as most are, and costs others what it saves.
      enableAutoPipelining: false,
      connectTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_PAUSE_MS),
    });
  const redis = open("rookery");
  const subscriber = open("rookery-listening");
  let runId = "";
  let isUp = false;
  let isClosed = false;

  redis.on("ready", () => {
    void readRunId(redis).then((id) => {
      runId = id;
      isUp = redis.status === "ready";
      if (isUp) log.info("connected to Valkey");
    });
  });
  redis.on("close", () => {
    if (isUp && !isClosed) log.warn("Valkey is away: feeds and limits are kept by this process");
    isUp = false;
  });
  for (const client of [redis, subscriber]) {
    client.on("error", (error: Error) => log.debug({ err: error }, "Valkey cannot be used"));
  }
  const pings = setInterval(() => {
    if (subscriber.status === "ready") subscriber.ping().catch(() => {});
  }, PING_MS).unref();
  return {
    redis,
    prefix,
    runId: () => runId,
    isUp: () => isUp && redis.status === "ready",
    subscriber,
    watchSubscriber(up, down) {
      subscriber.on("ready", up);
      subscriber.on("close", down);
      if (subscriber.status === "ready") up();
    },
    onFault(error) {
      if ((error as Error).name === "ReplyError")
        log.warn({ err: error }, "Valkey refused a command");
    },
    close() {
      isClosed = true;
      clearInterval(pings);
      redis.disconnect();
      subscriber.disconnect();
    },
  };
};
