// The rate limits of requests. Those of the API are the same numbers as Mastodon's, which clients know (contract:
// limits.json, rate_limits). Apps, sign-in, sign-up and mails have limits of their own, in their slices;
// RATE_LIMITS=false also removes the one of apps, but not the other three.

import type { ScimRates } from "./domain/people/sso/scim-routes.ts";
import type { FaspRates } from "./federation/fasp/routes.ts";
import type { InboxRates } from "./federation/inbox-routes.ts";
import type { ApiLimits } from "./platform/http/api-limits.ts";

const MINUTES = 60;
const DAY = 86_400;

export const API_LIMITS: ApiLimits = {
  token: { name: "api:token", by: "request", count: 300, seconds: 5 * MINUTES },
  account: { name: "api:account", by: "request", count: 1500, seconds: 5 * MINUTES },
  address: { name: "api:ip", by: "request", count: 300, seconds: 5 * MINUTES },
  pages: { name: "pages", by: "request", count: 300, seconds: 15 * MINUTES },
  others: { burst: 600, perMinute: 600 },
  routes: {
    media: { name: "media", by: "request", count: 30, seconds: 30 * MINUTES },
    delete: { name: "delete", by: "request", count: 30, seconds: 30 * MINUTES },
    statuses: { name: "statuses", by: "request", count: 300, seconds: 180 * MINUTES },
    follows: { name: "follows", by: "request", count: 400, seconds: DAY },
    reports: { name: "reports", by: "request", count: 400, seconds: DAY },
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

/** Limits of what providers tell of their people, who may be many at first. */
export const SCIM_RATES: ScimRates = {
  token: { burst: 1200, perMinute: 600 },
  failure: { burst: 20, perMinute: 2 },
};

/** Limits of auxiliary providers. A stranger may register five times at once, and then once in ten minutes. */
export const FASP_RATES: FaspRates = {
  address: { burst: 600, perMinute: 600 },
  registration: { burst: 5, perMinute: 0.1 },
};
