// Feeds in a cluster whose nodes change: a node that restarts or takes over from another may lack the last changes of
// its feeds. So the cluster itself stores which masters it has, and when they change all feeds are dropped and read
// from SQL.

import type { Cluster } from "ioredis";
import { readRunId } from "../redis/connection.ts";
import type { Connection } from "../redis/connection.ts";

/** Compares the masters when the connection is made, and whenever the client has asked where the slots are. */
export const watchMasters = (connection: Connection, drop: () => Promise<void>) => {
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
    // While a node is away the masters cannot be compared.
    void look()
      .catch(() => {})
      .finally(() => (isLooking = false));
  };
  const cluster = redis as Cluster;
  cluster.on("ready", lookNow);
  cluster.on("refresh", lookNow);
  if (cluster.status === "ready") lookNow();
  return {
    /** Whether the stored feeds can be trusted: the masters are the same as when they were last stored. */
    areKnown: () => known !== "",
    close() {
      cluster.off("ready", lookNow);
      cluster.off("refresh", lookNow);
    },
  };
};
