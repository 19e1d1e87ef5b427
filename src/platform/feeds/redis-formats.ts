// During an update, processes run side by side that store feeds in Valkey in different formats. Neither adds to the
// other's feeds, which then lack some posts. So each process announces its format, and once all of them use the same
// one again, the feeds are dropped and read from SQL.

import type { Connection } from "../redis/connection.ts";

/** Milliseconds after its last announcement at which a process counts as ended. */
const LIFE_MS = 60_000;
const RENEW_MS = 20_000;

/**
 * KEYS: the formats with the times at which they expire, and a mark that there were several. ARGV: our format, the time
 * now, and the time at which ours expires. Returns 1 if there were several and only ours is left.
 */
const HOLD = `
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])
redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
if redis.call('ZCARD', KEYS[1]) > 1 then redis.call('SET', KEYS[2], '1') end
return redis.call('ZCARD', KEYS[1]) == 1 and redis.call('EXISTS', KEYS[2]) or 0`;

type Commands = { feedFormatsHold(...keysAndTimes: (string | number)[]): Promise<number> };

/** `hold` announces that a process with this format runs, and drops the feeds once the other formats are gone. */
export const createFormats = (
  { redis, prefix }: Connection,
  format: string,
  drop: () => Promise<void>,
) => {
  redis.defineCommand("feedFormatsHold", { lua: HOLD, numberOfKeys: 2 });
  const commands = redis as unknown as Commands;
  const formats = `${prefix}feed-formats`;
  // Braces put both keys into one slot of a cluster.
  const mark = `{${formats}}-mixed`;
  const hold = async (now: number): Promise<void> => {
    if ((await commands.feedFormatsHold(formats, mark, format, now, now + LIFE_MS)) !== 1) return;
    await drop();
    await redis.del(mark);
  };
  // While Valkey is away nothing is stored there, so nothing has to be announced.
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
