// Serves known servers by prefix, for clients that complete handles.

import { domainToASCII } from "node:url";
import type { App } from "../../../platform/app.ts";
import { open } from "../../../platform/http/auth.ts";
import { shareable } from "../../../platform/http/cache.ts";
import { Type, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { getSetting } from "../../base/settings/settings.ts";
import { selectPeersByPrefix } from "./queries.ts";

const MAX_PEERS = 10; // contract: limits.json, peers_search_results

const PeersQuery = Type.Object({ q: Type.Optional(Type.String()) });

/** Normalises as host names are stored: lower case, ASCII. Returns "" where no host name begins so. */
const hostPrefix = (text: string): string => {
  const name = text.trim().toLowerCase();
  const ascii = /^[\0-\x7f]*$/.test(name) ? name : domainToASCII(name);
  return /^[\w.:-]{1,261}$/.test(ascii) ? ascii : "";
};

export const peersRoute = (server: Server, app: App): void => {
  server.get("/api/v1/peers/search", withQuery(open(), PeersQuery), async (request, reply) => {
    if (!(await getSetting(app, "peers_api", true))) return reply.code(404).send({});
    shareable(reply);
    const { q } = request.query;
    if (q === undefined) return reply.type("application/json; charset=utf-8").send("null");
    const prefix = hostPrefix(q);
    return prefix === "" ? [] : selectPeersByPrefix(app.sql, prefix, MAX_PEERS);
  });
};
