// How many requests others can make this server send to one host, by cause: a token bucket for each pair.
// What a stranger says must not turn this server against a third one.

import type { App } from "../app.ts";
import { tokenBuckets } from "../buckets.ts";
import type { Rate } from "../buckets.ts";
import { hostIn } from "../json/read.ts";

/** Causes with a budget of their own, so that none uses up another's. */
export const FETCH_BUDGETS = {
  /** Keys of unknown signers, with the WebFinger of their actors. Given back when the signature fits. */
  key: { burst: 60, perMinute: 30 },
  /** Authors of posts that are fetched, with their WebFinger: a thread has twenty, or more. */
  actor: { burst: 120, perMinute: 120 },
  /** Posts that are replied to, reblogged, quoted or pinned; authorizations of quotes. */
  note: { burst: 120, perMinute: 120 },
  /** Replies and recent posts, which somebody here wants to see. */
  thread: { burst: 120, perMinute: 60 },
  /** Not fetches: activities of a host that are passed on to the servers of followers, which may be many. */
  forward: { burst: 60, perMinute: 60 },
  /** Stored actors and posts that changed or are old. */
  refresh: { burst: 120, perMinute: 120 },
  /** What servers say of their software. */
  peer: { burst: 20, perMinute: 20 },
  /** Featured hashtags. */
  collection: { burst: 20, perMinute: 20 },
  /** Pages that remote profiles link to. */
  link: { burst: 10, perMinute: 10 },
  /** Pages that posts link to, with their oEmbed documents and pictures. */
  card: { burst: 60, perMinute: 60 },
  /** Pages that the posts of one server make this one fetch. */
  "card for": { burst: 120, perMinute: 60 },
  /** Files that are passed on and not stored, for whoever looks. */
  file: { burst: 600, perMinute: 600 },
  /** What a person of this server asked for: a search, a name in a post, the links of their profile. */
  person: { burst: 120, perMinute: 60 },
  /** Where a visitor's own server takes them. */
  visitor: { burst: 20, perMinute: 20 },
} satisfies Record<string, Rate>;

export type Cause = keyof typeof FETCH_BUDGETS;

const changeBucket = tokenBuckets("fetch budgets");

const change = (app: App, cause: Cause, url: string, by: number): boolean =>
  changeBucket(app, FETCH_BUDGETS[cause], `${cause} ${hostIn(url) ?? ""}`, by) === 0;

/** Counts a request to the host of `url`; false: there were too many for this cause lately. */
export const takeFetch = (app: App, cause: Cause, url: string): boolean =>
  change(app, cause, url, -1);

/** Gives requests back that were no attack. */
export const refund = (app: App, cause: Cause, url: string, count: number): void => {
  change(app, cause, url, count);
};
