// The connections to Valkey or Redis: one for commands, one for what is listened to. Nothing waits for a server
// that is away: commands fail at once, after a second at most, and whoever asked does without. It is the only copy
// of nothing (docs/decisions/0036-valkey.md). Where REDIS_URL names several nodes they are a cluster, whose slots the
// client follows (docs/decisions/0150-valkey-cluster.md).

import { createRequire } from "node:module";
import type { Cluster, Redis } from "ioredis";
import type { Logger } from "../log/index.ts";

/** No answer in this time: the connection is dropped, and made again. */
const ANSWER_MS = 1000;
const MAX_PAUSE_MS = 1000;
/** A connection that only listens notices by this that nobody is there any more. */
const PING_MS = 5000;
/** How often a cluster is asked where its slots are: a node that is back is not found before. */
const REFRESH_MS = 2000;

export type Connection = {
  /** The commands; they fail while the server is away. Those with several keys need keys of one slot. */
  redis: Redis | Cluster;
  isCluster: boolean;
  /** Each node of a cluster, or the masters alone; the server itself where it is alone. */
  nodes(role: "all" | "master"): Redis[];
  /** Before each key and channel: several servers may share one Valkey. */
  prefix: string;
  /**
   * Changes with each start of Valkey: what it has loaded from a disk or got as a replica may lack the last
   * changes. Empty: not connected yet. Of a cluster always the same: see feeds/redis-masters.ts.
   */
  runId(): string;
  isUp(): boolean;
  /** Only to subscribe and to receive; any node of a cluster receives what is published at another. */
  subscriber: Redis;
  /** Calls `up` when the subscriber is connected, now or later, and `down` when it is not any more. */
  watchSubscriber(up: () => void, down: () => void): void;
  /** Passes on what a command failed with, when that is not that the server is away. */
  onFault(error: unknown): void;
  close(): void;
};

/** ioredis is loaded where it is used: a process of its own does not need it. */
const load = () => createRequire(import.meta.url)("ioredis") as typeof import("ioredis");

/** Changes with each start of a server. */
export const readRunId = async (node: Redis): Promise<string> => {
  const info = await node.info("server").catch((error: Error) => {
    // Some services allow no INFO: then what was stored is trusted after a restart, until it expires.
    if (error.name === "ReplyError") return "";
    throw error;
  });
  return /^run_id:(\w+)/m.exec(info)?.[1] ?? "unknown";
};

const pauseAfter = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), MAX_PAUSE_MS);

const OPTIONS = {
  protocol: 2,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  // A pipeline doubles the CPU of a command that is alone, as most are, and costs others what it saves.
  enableAutoPipelining: false,
  connectTimeout: ANSWER_MS,
  socketTimeout: ANSWER_MS,
} as const;

/** The nodes in `redis://:password@one:6379,other:6379`, a URL each; a server that is alone has one. */
export const nodesIn = (url: string): string[] => {
  const [, before, hosts] = /^(rediss?:\/\/(?:[^@/]*@)?)([^@/]+,[^@/]+)\/?0?$/.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => before + host);
};

/** What a URL of a node says. */
const placeOf = (url: string) => {
  const { protocol, hostname, port, username, password } = new URL(url);
  return {
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: Number(port || 6379),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === "rediss:" && { tls: {} }),
  };
};

const openOne = (url: string, connectionName: string): Redis =>
  new (load().Redis)(url, {
    ...OPTIONS,
    connectionName,
    enableOfflineQueue: false,
    retryStrategy: pauseAfter,
  });

/** The commands of one turn are written together: the server wakes once for them, and so do we for its answers. */
const writeByTurn = (client: Redis): void => {
  client.on("connect", () => {
    const { stream } = client;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (...args: unknown[]): boolean => {
      if (stream.writableCorked === 0) {
        stream.cork();
        process.nextTick(() => stream.uncork());
      }
      return write(...args);
    };
  });
};

/** Each time that its node is lost it listens to the next one. */
const openListener = (urls: string[], connectionName: string): Redis => {
  const places = urls.map(placeOf);
  const listener: Redis = new (load().Redis)({
    ...OPTIONS,
    ...places[0]!,
    connectionName,
    enableOfflineQueue: false,
    retryStrategy: (times) => {
      const { host, port } = places[times % places.length]!;
      Object.assign(listener.options, { host, port });
      return pauseAfter(times);
    },
  });
  return listener;
};

const openCluster = (urls: string[], connectionName: string): Cluster => {
  const places = urls.map(placeOf);
  const { host: _host, port: _port, ...credentials } = places[0]!;
  return new (load().Cluster)(places, {
    enableOfflineQueue: false,
    clusterRetryStrategy: pauseAfter,
    // A slot that moves is followed; a node that is away is not waited for.
    maxRedirections: 4,
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: ANSWER_MS,
    slotsRefreshInterval: REFRESH_MS,
    // Certificates are for names.
    ...(credentials.tls && {
      dnsLookup: (address, callback) => callback(null, address),
    }),
    redisOptions: { ...OPTIONS, ...credentials, connectionName },
  });
};

export const connectRedis = (url: string, prefix: string, log: Logger): Connection => {
  const urls = nodesIn(url);
  const isCluster = urls.length > 1;
  const redis = isCluster ? openCluster(urls, "rookery") : openOne(url, "rookery");
  const subscriber = isCluster
    ? openListener(urls, "rookery-listening")
    : openOne(url, "rookery-listening");
  if (isCluster) (redis as Cluster).on("+node", writeByTurn);
  else writeByTurn(redis as Redis);
  const nodes = (role: "all" | "master"): Redis[] =>
    isCluster ? (redis as Cluster).nodes(role) : [redis as Redis];
  let runId = "";
  let isUp = false;
  let isClosed = false;

  const greet = async (): Promise<void> => {
    runId = isCluster ? "cluster" : await readRunId(redis as Redis);
    isUp = redis.status === "ready";
    if (isUp) log.info("connected to Valkey");
  };
  redis.on("ready", () => void greet().catch(() => {})); // it is connected again soon
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
    isCluster,
    nodes,
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
