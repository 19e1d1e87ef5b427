// The rate limits of requests. Those of the API are the same numbers as Mastodon's, which clients know (contract:
// limits.json, rate_limits). Apps, sign-in, sign-up and mails have limits of their own, in their slices;
// RATE_LIMITS=false also removes the one of apps, but not the other three.

import type { InboxRates } from "./federation/inbox-routes.ts";
import type { ApiLimits } from "./platform/http/api-limits.ts";
import type { Limit } from "./platform/http/rate-limit.ts";

const MINUTES = 60;
const DAY = 86_400;

const uploads: Limit = { name: "media", by: "request", count: 30, seconds: 30 * MINUTES };
const deletions: Limit = { name: "delete", by: "request", count: 30, seconds: 30 * MINUTES };
const posts: Limit = { name: "statuses", by: "request", count: 300, seconds: 180 * MINUTES };
const follows: Limit = { name: "follows", by: "request", count: 400, seconds: DAY };

export const API_LIMITS: ApiLimits = {
  token: { name: "api:token", by: "request", count: 300, seconds: 5 * MINUTES },
  account: { name: "api:account", by: "request", count: 1500, seconds: 5 * MINUTES },
  address: { name: "api:ip", by: "request", count: 300, seconds: 5 * MINUTES },
  pages: { name: "pages", by: "request", count: 300, seconds: 15 * MINUTES },
  others: { burst: 600, perMinute: 600 },
  routes: {
    "POST /api/v1/media": uploads,
    "POST /api/v2/media": uploads,
    "DELETE /api/v1/statuses/:id": deletions,
    "POST /api/v1/statuses/:id/unreblog": deletions,
    "POST /api/v1/statuses": posts,
    "POST /api/v1/statuses/thread": posts,
    "PUT /api/v1/statuses/:id": posts,
    "POST /api/v1/statuses/:id/reblog": posts,
    "POST /api/v1/accounts/:id/follow": follows,
    "POST /api/v1/follows": follows,
    "POST /api/v1/reports": { name: "reports", by: "request", count: 400, seconds: DAY },
  },
};

/**
 * Limits of the inbox. A large server sends 30 requests a second from one address, more when a post of this server is
 * popular; refused requests are retried later. A host is counted once the signature is verified, so that nobody can use
 * up another's limit.
 */
export const INBOX_RATES: InboxRates = {
  address: { burst: 3600, perMinute: 3600 },
  host: { burst: 3600, perMinute: 3600 },
};
