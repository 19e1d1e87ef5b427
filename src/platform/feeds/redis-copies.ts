// Copies of feeds that this process has read, since most people read their home several times before it changes. Valkey
// remembers what a connection has read and tells of its next change (CLIENT TRACKING) on the connection on which this
// process hears what others invalidate: who has waited for those messages (redis/cache-sync.ts) finds no older copy.

import type { Redis } from "ioredis";
import type { BoundedCache } from "../caches/bounded.ts";
import type { Connection } from "../redis/connection.ts";
import type { Feed } from "./feed.ts";

/** The channel on which Valkey tells of changes. */
const CHANNEL = "__redis__:invalidate";

/** Reads a feed by its name in Valkey, by one command. */
export type Read = (name: string) => Promise<Feed | null>;

/** Returns `read` with copies. Must be the first to watch the subscriber, which answers nothing once it listens. */
export const withCopies = (
  connection: Connection,
  copies: BoundedCache<Feed>,
  read: Read,
): Read => {
  const { subscriber } = connection;
  const redis = connection.redis as Redis; // nodes of a cluster tell only of what they have themselves
  let id = Promise.resolve(0);
  /** Changes when a connection is lost or made; `told` is the one in which this process is told of changes. */
  let [era, told] = [0, -1];
  /** The last read of each feed that is being read, unless the feed has changed since that began. */
  const reads = new Map<string, symbol>();
  const lost = (): void => {
    era += 1;
    reads.clear();
    copies.clear();
  };
  const listen = async (): Promise<void> => {
    lost();
    const before = era;
    const [listener] = await Promise.all([id, subscriber.subscribe(CHANNEL)]);
    await redis.client("TRACKING", "ON", "REDIRECT", listener, "OPTIN");
    told = before;
  };
  /** Without copies where one of the connections is missing, or Valkey does not allow this. */
  const tryToListen = (): void => void listen().catch(() => {});
  connection.watchSubscriber(() => {
    id = subscriber.client("ID");
    tryToListen();
  }, lost);
  redis.on("ready", tryToListen);
  subscriber.on("message", (channel, names) => {
    if (channel !== CHANNEL) return;
    if (names === "") tryToListen(); // everything was deleted
    for (const name of names.split(",")) {
      reads.delete(name);
      copies.delete(name);
    }
  });
  return async (name) => {
    const copy = copies.get(name);
    if (copy || told !== era) return copy ?? read(name);
    const own = Symbol(name);
    reads.set(name, own);
    try {
      // The first command makes Valkey remember what the next one reads.
      const [, feed] = await Promise.all([redis.client("CACHING", "YES"), read(name)]);
      if (feed && reads.get(name) === own) copies.set(name, feed);
      return feed;
    } finally {
      reads.delete(name);
    }
  };
};
