// Lists that nothing can fill yet. A client's start page breaks on a 404 here, so the truth is told:
// the list is empty. Each line goes when its feature comes; only reading is answered.

import { checkStanding, open, user } from "../../platform/http/auth.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";

/** Path → the scopes of which one is enough. All want a person. */
const PERSONAL: Record<string, string[]> = {
  "/api/v1/followed_tags": ["follow", "read", "read:follows"],
  "/api/v1/lists": ["read", "read:lists"],
  "/api/v1/filters": ["read", "read:filters"],
  "/api/v2/filters": ["read", "read:filters"],
  "/api/v1/conversations": ["read", "read:statuses"],
  "/api/v1/suggestions": ["read", "read:accounts"],
  "/api/v2/suggestions": ["read", "read:accounts"],
  "/api/v1/endorsements": ["read", "read:accounts"],
  "/api/v1/featured_tags": ["read", "read:accounts"],
  "/api/v1/featured_tags/suggestions": ["read", "read:accounts"],
  "/api/v1/scheduled_statuses": ["read", "read:statuses"],
  "/api/v1/domain_blocks": ["follow", "read", "read:blocks"],
};

const TRENDS = [
  "/api/v1/trends",
  "/api/v1/trends/tags",
  "/api/v1/trends/statuses",
  "/api/v1/trends/links",
];

/** Paths that a newer one replaced, and when (RFC 9745), as the contract dates them. */
const DEPRECATED: Record<string, string> = {
  "/api/v1/filters": "@1668384000",
  "/api/v1/suggestions": "@1621123200",
  "/api/v1/trends": "@1648598400",
};

export const emptyListRoutes = (server: Server): void => {
  for (const [path, scopes] of Object.entries(PERSONAL)) {
    server.get(path, { config: user(...scopes) }, async (_request, reply) => {
      if (DEPRECATED[path]) reply.header("deprecation", DEPRECATED[path]);
      return [];
    });
  }

  for (const path of TRENDS) {
    server.get(path, { config: open() }, async (request, reply) => {
      if (DEPRECATED[path]) reply.header("deprecation", DEPRECATED[path]);
      if (!request.credentials) {
        reply.header(
          "cache-control",
          "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400",
        );
      }
      return [];
    });
  }

  server.get("/api/v1/markers", { config: user("read", "read:statuses") }, async () => ({}));

  // This row wants no scope, and a missing person is a 422 here (contract: auth_matrix).
  server.get("/api/v1/announcements", { config: open() }, async (request) => {
    const viewer = request.credentials?.viewer;
    if (!viewer) throw new Unprocessable("This method requires an authenticated user");
    checkStanding(viewer);
    return [];
  });
};
