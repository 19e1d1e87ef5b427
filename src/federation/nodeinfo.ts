// NodeInfo: software and size of the server, for crawlers and peers.
// https://nodeinfo.diaspora.software/protocol.html, schema 2.0

import type { App } from "../platform/app.ts";
import type { Server } from "../platform/http/server.ts";
import { instanceDetails } from "../domain/about/instance/details.ts";
import { instanceFigures } from "../domain/about/instance/figures.ts";
import { faspBaseUrl } from "./fasp/routes.ts";
import { VERSION } from "../platform/version.ts";

const SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/2.0";

/** Returns the NodeInfo 2.0 document; `usage` counts local people and their posts only. */
const nodeInfo = async (app: App) => {
  const [details, figures] = await Promise.all([instanceDetails(app), instanceFigures(app)]);
  return {
    version: "2.0",
    software: { name: "rookery", version: VERSION },
    protocols: ["activitypub"],
    services: { outbound: [], inbound: [] },
    usage: {
      users: {
        total: figures.users,
        activeMonth: figures.activeMonth,
        activeHalfyear: figures.activeHalfyear,
      },
      localPosts: figures.localPosts,
    },
    openRegistrations: details.registrations === "open",
    metadata: {
      nodeName: details.title,
      nodeDescription: details.description,
      // Client libraries that do not know our name recognise the API by this one.
      upstream: { name: "mastodon" },
      faspBaseUrl: faspBaseUrl(app),
    },
  };
};

export const nodeInfoRoutes = (server: Server, app: App): void => {
  server.get("/.well-known/nodeinfo", async (_request, reply) =>
    reply
      .header("cache-control", "max-age=259200, public")
      .header("vary", "Origin")
      .send({ links: [{ rel: SCHEMA, href: `${app.config.site.origin}/nodeinfo/2.0` }] }),
  );

  server.get("/nodeinfo/2.0", async (_request, reply) => {
    reply.header("cache-control", "max-age=1800, public").header("vary", "Accept, Origin");
    return nodeInfo(app);
  });
};
