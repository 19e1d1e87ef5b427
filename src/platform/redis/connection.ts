// The connections to Valkey or Redis: one for commands, one for subscriptions. Nothing waits for a server that is away:
// commands fail after a second at most, and callers do without. Valkey never has the only copy of anything. Where
// REDIS_URL names several nodes they are a cluster, whose slots the client follows (docs/design/several-processes.md).

import { createRequire } from "node:module";
import type { Cluster, Redis } from "ioredis";
import type { Logger } from "../log/index.ts";

/** Milliseconds without an answer after which a connection is dropped and made again. */
const ANSWER_MS = 1000;
const MAX_PAUSE_MS = 1000;
/** Milliseconds between pings, by which a connection that only listens notices that its server is gone. */
const PING_MS = 5000;
/** Milliseconds between questions where the slots of a cluster are; a node that returns is found no earlier. */
const REFRESH_MS = 2000;

/** Functions for a cluster besides commands. */
export type ClusterNodes = {
  slotOf(key: string): number;
  /** Returns the master that has the slot, as far as is known, as host:port; null while none is connected. */
  ownerOf(slot: number): string | null;
  /** Asks now where the slots are. */
  refresh(): void;
  /** Opens a connection to listen at this node; it is not made again when lost. */
  listenAt(place: string): Redis;
  /**
   * Calls `refreshed` whenever the client has asked where the slots are: every two seconds, and after one has moved.
   */
  watch(refreshed: () => void): void;
};

/** Number of messages that this process has received since its start. */
export type Received = { events: number; invalidations: number };

export type Connection = {
  /** Runs commands, which fail while the server is away. Commands with several keys need keys of one slot. */
  redis: Redis | Cluster;
  /** Null for a single server. */
  cluster: ClusterNodes | null;
  /** Returns the masters of a cluster, or the single server. */
  masters(): Redis[];
  /** Prefix of each key and channel: several servers may share one Valkey. */
  prefix: string;
  /**
   * Returns an id that changes with each start of Valkey: what it loaded from a disk or as a replica may lack the last
   * changes. Empty while not connected. Constant for a cluster: see feeds/redis-masters.ts.
   */
  runId(): string;
  isUp(): boolean;
  /** Only subscribes and receives; any node of a cluster receives what is published at another. */
  subscriber: Redis;
  /** Calls `up` when the subscriber is connected, now or later, and `down` when the connection is lost. */
  watchSubscriber(up: () => void, down: () => void): void;
  /**
   * Moves the subscriber to another node when it seems to receive nothing: a node that has left its cluster does not
   * close the connection.
   */
  listenElsewhere(): void;
  received: Received;
  /** Gets errors of commands, except that the server is away. */
  onFault(error: unknown): void;
  close(): void;
};

/** Loads ioredis at its first use: a process without Valkey does not need it. */
const load = () => createRequire(import.meta.url)("ioredis") as typeof import("ioredis");

/** Reads an id that changes with each start of a server. */
export const readRunId = async (node: Redis): Promise<string> => {
  const info = await node.info("server").catch((error: Error) => {
    // Some services do not allow INFO. What was stored is then trusted after a restart, until it expires.
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
  // A pipeline doubles the CPU of a single command, as most are, and costs others what it saves.
  enableAutoPipelining: false,
  connectTimeout: ANSWER_MS,
  socketTimeout: ANSWER_MS,
} as const;

/** Resolves when a node is connected; rejects where it is away or takes too long. */
export const untilReady = async (node: Redis): Promise<void> => {
  if (node.status === "ready") return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("no connection")), ANSWER_MS);
  node.once("ready", resolve).once("close", () => reject(new Error("the node is away")));
  if (node.status === "wait") node.connect().catch(() => {}); // it is closed then
  await promise.finally(() => clearTimeout(timer));
};

/** Returns the nodes in `redis://:password@one:6379,other:6379` as one URL each; a single server has one. */
export const nodesIn = (url: string): string[] => {
  const [, before, hosts] = /^(rediss?:\/\/(?:[^@/]*@)?)([^@/]+,[^@/]+)\/?0?$/.exec(url) ?? [];
  return hosts === undefined ? [url] : hosts.split(",").map((host) => before + host);
};

/** Returns what the URL of a node says. */
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

/**
 * Writes the commands of one turn together, so that the server wakes once for them, and we wake once for its answers.
 */
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

/** Parses a node as the client names it. */
const nodeAt = (place: string) => {
  const colon = place.lastIndexOf(":");
  return { host: place.slice(0, colon), port: Number(place.slice(colon + 1)) };
};

/** Opens the subscriber. Each time its node is lost it connects to the next, of those configured and those found. */
const openListener = (urls: string[], connectionName: string, cluster: Cluster): Redis => {
  const places = urls.map(placeOf);
  let turn = 0;
  const listener: Redis = new (load().Redis)({
    ...OPTIONS,
    ...places[0]!,
    connectionName,
    enableOfflineQueue: false,
    retryStrategy: (times) => {
      const masters = cluster.nodes("master").map(({ options }) => options);
      const all = [...places, ...masters];
      const { host, port } = all[++turn % all.length]!;
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
    // The ready check would ask any node, and begin again where that is not connected yet: with replicas nearly always,
    // for ever.
    enableReadyCheck: false,
    clusterRetryStrategy: pauseAfter,
    // A slot that moves is followed; a node that is away is not waited for.
    maxRedirections: 4,
    retryDelayOnFailover: 50,
    retryDelayOnClusterDown: 0,
    slotsRefreshTimeout: ANSWER_MS,
    slotsRefreshInterval: REFRESH_MS,
    // Certificates name hosts.
    ...(credentials.tls && {
      dnsLookup: (address, callback) => callback(null, address),
    }),
    redisOptions: { ...OPTIONS, ...credentials, connectionName },
  });
};

/** `listeners` holds the open connections; each new one is added. */
const nodesOf = (cluster: Cluster, urls: string[], listeners: Set<Redis>): ClusterNodes => {
  const { host: _host, port: _port, ...credentials } = placeOf(urls[0]!);
  return {
    slotOf: (key) => new (load().Command)("get", [key]).getSlot()!,
    ownerOf: (slot) => (cluster.status === "ready" ? (cluster.slots[slot]?.[0] ?? null) : null),
    refresh() {
      if (cluster.status === "ready") cluster.refreshSlotsCache();
    },
    listenAt(place) {
      const listener = new (load().Redis)({
        ...OPTIONS,
        ...credentials,
        ...nodeAt(place),
        connectionName: "rookery-listening",
        enableOfflineQueue: false,
        retryStrategy: null,
      });
      listeners.add(listener);
      return listener.on("close", () => listeners.delete(listener));
    },
    watch(refreshed) {
      cluster.on("refresh", refreshed);
    },
  };
};

export const connectRedis = (url: string, prefix: string, log: Logger): Connection => {
  const urls = nodesIn(url);
  const cluster = urls.length > 1 ? openCluster(urls, "rookery") : null;
  const redis = cluster ?? openOne(url, "rookery");
  const subscriber = cluster
    ? openListener(urls, "rookery-listening", cluster)
    : openOne(url, "rookery-listening");
  if (cluster) cluster.on("+node", writeByTurn);
  else writeByTurn(redis as Redis);
  const listeners = new Set<Redis>();
  let runId = "";
  let isUp = false;
  let isClosed = false;

  const greet = async (): Promise<void> => {
    // The slots of a cluster are known, but not all nodes are connected yet.
    if (cluster) await Promise.allSettled(cluster.nodes("master").map(untilReady));
    runId = cluster ? "cluster" : await readRunId(redis as Redis);
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
    cluster: cluster && nodesOf(cluster, urls, listeners),
    masters: () => cluster?.nodes("master") ?? [redis as Redis],
    prefix,
    runId: () => runId,
    isUp: () => isUp && redis.status === "ready",
    subscriber,
    watchSubscriber(up, down) {
      subscriber.on("ready", up);
      subscriber.on("close", down);
      if (subscriber.status === "ready") up();
    },
    listenElsewhere() {
      if (cluster) subscriber.disconnect(true);
    },
    received: { events: 0, invalidations: 0 },
    onFault(error) {
      if ((error as Error).name === "ReplyError")
        log.warn({ err: error }, "Valkey refused a command");
    },
    close() {
      isClosed = true;
      clearInterval(pings);
      redis.disconnect();
      subscriber.disconnect();
      for (const listener of listeners) listener.disconnect();
    },
  };
};
