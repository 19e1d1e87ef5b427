// The connections to Valkey or Redis: one for commands, one for what is listened to. Nothing waits for a server that is
// away: commands fail at once, after a second at most, and whoever asked does without. It is the only copy of nothing
// (docs/design/several-processes.md). Where REDIS_URL names several nodes they are a cluster, whose slots the client
// follows (docs/design/several-processes.md).

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

/** What is asked of a cluster beside commands. */
export type ClusterNodes = {
  slotOf(key: string): number;
  /** The master that has the slot, as far as is known: host:port; null while none is connected. */
  ownerOf(slot: number): string | null;
  /** Asks where the slots are, now. */
  refresh(): void;
  /** A connection to listen at this node; once lost it is not made again. */
  listenAt(place: string): Redis;
  /** Calls it whenever it was asked where the slots are: every two seconds, and after one has moved. */
  watch(refreshed: () => void): void;
};

/** Messages that this process has received since its start. */
export type Received = { events: number; invalidations: number };

export type Connection = {
  /** The commands; they fail while the server is away. Those with several keys need keys of one slot. */
  redis: Redis | Cluster;
  /** null: one server. */
  cluster: ClusterNodes | null;
  /** The masters of a cluster; the server itself where it is alone. */
  masters(): Redis[];
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
  /** For when it seems to hear nothing: a node that has left its cluster does not end the connection. */
  listenElsewhere(): void;
  received: Received;
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

/** Fails where the node is away, or takes too long. */
export const untilReady = async (node: Redis): Promise<void> => {
  if (node.status === "ready") return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error("no connection")), ANSWER_MS);
  node.once("ready", resolve).once("close", () => reject(new Error("the node is away")));
  if (node.status === "wait") node.connect().catch(() => {}); // it is closed then
  await promise.finally(() => clearTimeout(timer));
};

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

/** A node as the client names it. */
const nodeAt = (place: string) => {
  const colon = place.lastIndexOf(":");
  return { host: place.slice(0, colon), port: Number(place.slice(colon + 1)) };
};

/** Each time that its node is lost it listens to the next one, of those that are named and those that were found. */
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
    // It would ask any node, and begin again where that is not connected yet: with replicas nearly always, for ever.
    enableReadyCheck: false,
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

/** `listeners`: the connections that are open, to which each new one is added. */
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
    // Of a cluster slots are known, and not all nodes are connected.
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
