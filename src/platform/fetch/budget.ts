// Limits the requests that others can make this server send to one host, by cause: a token bucket for each pair of host
// and cause. Remote input must not turn this server against a third one.

import type { App } from "../app.ts";
import { tokenBuckets } from "../buckets.ts";
import type { Rate } from "../buckets.ts";
import { hostIn } from "../json/read.ts";

/** Requests allowed to one host for each cause, so that no cause uses up another's. */
export const FETCH_BUDGETS = {
  /** Keys of unknown signers, with the WebFinger of their actors. A valid signature refunds the request. */
  key: { burst: 60, perMinute: 30 },
  /** Authors of fetched posts, with their WebFinger: a thread has twenty or more. */
  actor: { burst: 120, perMinute: 120 },
  /** Posts that are replied to, reblogged, quoted or pinned, and authorizations of quotes. */
  note: { burst: 120, perMinute: 120 },
  /** Replies and recent posts that somebody here wants to see. */
  thread: { burst: 120, perMinute: 60 },
  /** Activities of one host that are forwarded to the servers of followers, which may be many. They are no fetches. */
  forward: { burst: 60, perMinute: 60 },
  /** Stored actors and posts that changed or are old. */
  refresh: { burst: 120, perMinute: 120 },
  /** What servers say about their software. */
  peer: { burst: 20, perMinute: 20 },
  /** Collections of featured hashtags. */
  collection: { burst: 20, perMinute: 20 },
  /** Pages that remote profiles link to. */
  link: { burst: 10, perMinute: 10 },
  /** Pages that posts link to, with their oEmbed documents and pictures. */
  card: { burst: 60, perMinute: 60 },
  /** Pages fetched because of the posts of one server. */
  "card for": { burst: 120, perMinute: 60 },
  /** Files that are passed on to a viewer and not stored. */
  file: { burst: 600, perMinute: 600 },
  /** What a person here asked for: a search, a name in a post, the links of their profile. */
  person: { burst: 120, perMinute: 60 },
  /** The addresses at which visitors' own servers let them act on a post. */
  visitor: { burst: 20, perMinute: 20 },
} satisfies Record<string, Rate>;

export type Cause = keyof typeof FETCH_BUDGETS;

const changeBucket = tokenBuckets("fetch budgets");

const change = (app: App, cause: Cause, url: string, by: number): boolean =>
  changeBucket(app, FETCH_BUDGETS[cause], `${cause} ${hostIn(url) ?? ""}`, by) === 0;

/** Counts a request to the host of `url`; false when there were too many for this cause lately. */
export const takeFetch = (app: App, cause: Cause, url: string): boolean =>
  change(app, cause, url, -1);

/** Refunds requests that turned out to be no attack. */
export const refund = (app: App, cause: Cause, url: string, count: number): void => {
  change(app, cause, url, count);
};
