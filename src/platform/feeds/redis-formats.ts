// Versions of Rookery that store feeds in Valkey in another way, side by side during an update: neither adds to the
// feeds of the other, which lack some posts afterwards. So each process says which format it writes, and when all that
// run write the same one again, the feeds are dropped: they are read from SQL.

import type { Connection } from "../redis/connection.ts";

/** A process that has not said so for so long has ended. */
const LIFE_MS = 60_000;
const RENEW_MS = 20_000;

/**
 * KEYS: the formats with the times at which they end, and a mark that there were several. ARGV: ours, the time and ours
 * end. 1: there were several, and only ours is left.
 */
const HOLD = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
if redis.call('ZCARD', KEYS[1]) > 1 then redis.call('SET', KEYS[2], '1') end
return redis.call('ZCARD', KEYS[1]) == 1 and redis.call('EXISTS', KEYS[2]) or 0`;

type Commands = {
  feedFormatsHold(
    formats: string,
    mark: string,
    format: string,
    now: number,
    end: number,
  ): Promise<number>;
};

export type Formats = {
  /** Says that a process with this format runs; drops the feeds when there were others and are no more. */
  hold(now: number): Promise<void>;
  close(): void;
};

export const createFormats = (
  { redis, prefix }: Connection,
  format: string,
  drop: () => Promise<void>,
): Formats => {
  redis.defineCommand("feedFormatsHold", { lua: HOLD, numberOfKeys: 2 });
  const commands = redis as unknown as Commands;
  const formats = `${prefix}feed-formats`;
  // In braces, so that both are in one slot of a cluster.
  const mark = `{${formats}}-mixed`;
  const hold = async (now: number): Promise<void> => {
    if ((await commands.feedFormatsHold(formats, mark, format, now, now + LIFE_MS)) !== 1) return;
    await drop();
    await redis.del(mark);
  };
  // While Valkey is away nothing is stored.
  const holdNow = () => void hold(Date.now()).catch(() => {});
  redis.on("ready", holdNow);
  const timer = setInterval(holdNow, RENEW_MS).unref();
  return {
    hold,
    close() {
      clearInterval(timer);
      redis.off("ready", holdNow);
    },
  };
};
