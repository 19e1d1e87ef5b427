// Token buckets, one for each key: `burst` at once, then `perMinute`. They exist in this process alone, which makes
// them cheap enough for every request. A bucket that is seldom used is full again, so it can be dropped.

import { boundedCache } from "./caches/bounded.ts";
import type { App } from "./app.ts";

export type Rate = { burst: number; perMinute: number };

type Bucket = { tokens: number; at: number };

/** Takes `by` tokens, or adds them; returns the seconds until there would be enough, 0 if there were. */
type ChangeBucket = (app: App, rate: Rate, key: string, by: number) => number;

/** Creates buckets in the share of memory with this name; `key` has to differ for different rates, too. */
export const tokenBuckets = (name: string): ChangeBucket => {
  const bucketsOf = boundedCache<Bucket>(name, () => 40);
  return (app, { burst, perMinute }, key, by) => {
    const buckets = bucketsOf(app);
    const at = performance.now();
    const before = buckets.get(key);
    const refilled = before ? before.tokens + ((at - before.at) * perMinute) / 60_000 : burst;
    const tokens = Math.min(burst, refilled + by);
    const isCovered = tokens >= 0;
    // The bucket is set even where no token was left, since one that is not set for a while is dropped and counts as
    // full.
    buckets.set(key, { tokens: isCovered ? tokens : Math.min(burst, refilled), at });
    return isCovered ? 0 : (-tokens * 60) / perMinute;
  };
};
