// How many requests others can make this server send to one host, by cause: a token bucket for each pair.
// What a stranger says must not turn this server against a third one. The bucket of a host that is
// asked for seldom is full and is dropped.

import type { App } from "../app.ts";
import { boundedCache } from "../caches/bounded.ts";
import { hostIn } from "../json/read.ts";

/** So many at once, then so many per minute. */
type Budget = { burst: number; perMinute: number };

/** Causes with a budget of their own, so that none uses up another's. */
export const FETCH_BUDGETS = {
  /** Keys of unknown signers, with the WebFinger of their actors. Given back when the signature fits. */
  key: { burst: 60, perMinute: 30 },
  /** Authors of posts that are fetched, with their WebFinger: a thread has twenty, or more. */
  actor: { burst: 120, perMinute: 120 },
  /** Posts that are replied to, reblogged, quoted or pinned; authorizations of quotes. */
  note: { burst: 120, perMinute: 120 },
  /** Stored actors and posts that changed or are old. */
  refresh: { burst: 120, perMinute: 120 },
  /** Featured hashtags. */
  collection: { burst: 20, perMinute: 20 },
  /** Pages that remote profiles link to. */
  link: { burst: 10, perMinute: 10 },
  /** What a person of this server asked for: a search, a name in a post, the links of their profile. */
  person: { burst: 120, perMinute: 60 },
} satisfies Record<string, Budget>;

export type Cause = keyof typeof FETCH_BUDGETS;

type Bucket = { tokens: number; at: number };

const bucketsOf = boundedCache<Bucket>("fetch budgets", () => 40);

const keyOf = (cause: Cause, url: string): string => `${cause} ${hostIn(url) ?? ""}`;

const change = (app: App, cause: Cause, url: string, by: number): boolean => {
  const { burst, perMinute } = FETCH_BUDGETS[cause];
  const buckets = bucketsOf(app);
  const key = keyOf(cause, url);
  const at = performance.now();
  const before = buckets.get(key) ?? { tokens: burst, at };
  const refilled = before.tokens + ((at - before.at) * perMinute) / 60_000;
  const tokens = Math.min(burst, refilled + by);
  const isCovered = tokens >= 0;
  // Set again also where there was none left: what is not set for a while is dropped, and full again.
  buckets.set(key, { tokens: isCovered ? tokens : Math.min(burst, refilled), at });
  return isCovered;
};

/** Counts a request to the host of `url`; false: there were too many for this cause lately. */
export const takeFetch = (app: App, cause: Cause, url: string): boolean =>
  change(app, cause, url, -1);

/** Gives requests back that were no attack. */
export const giveBack = (app: App, cause: Cause, url: string, count: number): void => {
  change(app, cause, url, count);
};
