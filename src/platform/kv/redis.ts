// The key-value store in Valkey, shared by all processes. While it is away each process counts and remembers by itself:
// limits then hold per process, and nobody is refused because of it.

import type { Connection } from "../redis/connection.ts";
import type { Kv } from "./index.ts";

/** The counter expires with its first use, also when it was set by another command. */
const INCREMENT = `
local value = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return value`;

type Commands = { rookeryIncrement(key: string, by: number, ms: number): Promise<number> };

const milliseconds = (seconds: number): number => Math.ceil(seconds * 1000);

/** Keys of different `space`s never collide. `local` holds values while Valkey is away. */
export const redisKv = ({ redis, prefix }: Connection, space: string, local: Kv): Kv => {
  redis.defineCommand("rookeryIncrement", { numberOfKeys: 1, lua: INCREMENT });
  const commands = redis as unknown as Commands;
  const at = (key: string) => `${prefix}${space}:${key}`;
  return {
    get: (key) => redis.get(at(key)).catch(() => local.get(key)),
    async set(key, value, ttlSeconds) {
      const done =
        ttlSeconds > 0
          ? redis.set(at(key), value, "PX", milliseconds(ttlSeconds))
          : redis.del(at(key));
      await done.catch(() => local.set(key, value, ttlSeconds));
    },
    async add(key, value, ttlSeconds) {
      const added =
        ttlSeconds > 0
          ? redis.set(at(key), value, "PX", milliseconds(ttlSeconds), "NX")
          : redis.exists(at(key)).then((count) => (count === 0 ? "OK" : null));
      return added.then(
        (answer) => answer !== null,
        () => local.add(key, value, ttlSeconds),
      );
    },
    async increment(key, by, ttlSeconds) {
      const counted =
        ttlSeconds > 0
          ? commands.rookeryIncrement(at(key), by, milliseconds(ttlSeconds))
          : redis.get(at(key)).then((value) => Number(value ?? 0) + by);
      return counted.catch(() => local.increment(key, by, ttlSeconds));
    },
    async delete(key) {
      await local.delete(key);
      await redis.del(at(key)).catch(() => 0);
    },
    close: () => local.close(),
  };
};
