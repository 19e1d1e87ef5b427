// Token buckets, one for each key: so many at once, then so many per minute. In this process alone, which makes
// them cheap enough for every request. A bucket that is used seldom is full, and is dropped.

import { boundedCache } from "./caches/bounded.ts";
import type { App } from "./app.ts";

export type Rate = { burst: number; perMinute: number };

type Bucket = { tokens: number; at: number };

/** Adds tokens, or takes them; gives the seconds after which there would have been enough, 0: there were. */
type ChangeBucket = (app: App, rate: Rate, key: string, by: number) => number;

/** Buckets in the share of memory of this name; `key` has to tell apart rates, too. */
export const tokenBuckets = (name: string): ChangeBucket => {
  const bucketsOf = boundedCache<Bucket>(name, () => 40);
  return (app, { burst, perMinute }, key, by) => {
    const buckets = bucketsOf(app);
    const at = performance.now();
    const before = buckets.get(key);
    const refilled = before ? before.tokens + ((at - before.at) * perMinute) / 60_000 : burst;
    const tokens = Math.min(burst, refilled + by);
    const isCovered = tokens >= 0;
    // Set again also where there was none left: what is not set for a while is dropped, and full again.
    buckets.set(key, { tokens: isCovered ? tokens : Math.min(burst, refilled), at });
    return isCovered ? 0 : (-tokens * 60) / perMinute;
  };
};
