// Serves a person's blocks of whole domains. https://docs.joinmastodon.org/methods/domain_blocks/

import type { App } from "../../../platform/app.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { readPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { paged, withBody, withQuery } from "../../../platform/http/schema.ts";
import { blockDomain, normaliseBlocked, unblockDomain } from "./block-domain.ts";
import { countFollowsAt, selectDomainPage } from "./queries.ts";
import { DomainParams } from "./schema.ts";

const PAGE = 100;

const listRoute = (server: Server, app: App): void => {
  server.get("/api/v1/domain_blocks", paged(user("read:blocks")), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const rows = await readPage(app, request, reply, { most: PAGE, prev: "since_id" }, (page) =>
      selectDomainPage(app.sql, accountId, page),
    );
    return rows.map((row) => row.domain);
  });
};

/** Clients show it before a block. Both counts are 0 for text that is not a domain. */
const previewRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/domain_blocks/preview",
    withQuery(user("write:blocks"), DomainParams),
    async (request) => {
      const domain = normaliseBlocked(request.query.domain ?? "");
      const { accountId } = viewerOf(request);
      const { following, followers } =
        domain === null
          ? { following: 0, followers: 0 }
          : await countFollowsAt(app.sql, accountId, domain);
      return { following_count: following, followers_count: followers };
    },
  );
};

export const domainBlockRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  previewRoute(server, app);
  const config = userForm("write:blocks");

  server.post("/api/v1/domain_blocks", withBody(config, DomainParams), async (request) => {
    await blockDomain(app, viewerOf(request).accountId, request.body.domain ?? "");
    return {};
  });

  // Clients send the domain in the body or in the query.
  server.delete(
    "/api/v1/domain_blocks",
    { config, schema: { body: DomainParams, querystring: DomainParams } },
    async (request) => {
      const domain = request.body?.domain ?? request.query.domain ?? "";
      await unblockDomain(app, viewerOf(request).accountId, domain);
      return {};
    },
  );
};
