// Feeds in a cluster when its nodes change: one that starts again, or takes over from another, may lack the last
// changes of the feeds that it has. So the masters are noted in the cluster itself, and when they are others all feeds
// are dropped: they are read from SQL.

import type { Cluster } from "ioredis";
import { readRunId } from "../redis/connection.ts";
import type { Connection } from "../redis/connection.ts";

export type Masters = {
  /** Whether what is stored can be trusted: those that are noted are those that were seen last. */
  areKnown(): boolean;
  close(): void;
};

/** Looks when it is connected, and whenever the client has asked where the slots are. */
export const watchMasters = (connection: Connection, drop: () => Promise<void>): Masters => {
  const { redis, prefix } = connection;
  const key = `${prefix}feed-masters`;
  let known = "";
  let isLooking = false;
  const look = async (): Promise<void> => {
    const masters = (await Promise.all(connection.masters().map(readRunId))).sort().join();
    if (masters === known) return;
    if ((await redis.get(key)) !== masters) {
      await drop();
      await redis.set(key, masters);
    }
    known = masters;
  };
  const lookNow = (): void => {
    if (isLooking) return;
    isLooking = true;
    // While a node is away nothing can be said.
    void look()
      .catch(() => {})
      .finally(() => (isLooking = false));
  };
  const cluster = redis as Cluster;
  cluster.on("ready", lookNow);
  cluster.on("refresh", lookNow);
  if (cluster.status === "ready") lookNow();
  return {
    areKnown: () => known !== "",
    close() {
      cluster.off("ready", lookNow);
      cluster.off("refresh", lookNow);
    },
  };
};
