// Serves the policy of notifications in both versions. https://docs.joinmastodon.org/methods/notifications/#get-policy

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import type { Server } from "../../../platform/http/server.ts";
import { changing } from "../../../platform/http/schema.ts";
import { changePolicy, getPolicy } from "./policy.ts";
import { changesOfV1, policyEntity, policyV1Entity } from "./present-policy.ts";
import { PolicyV1Body, PolicyV2Body, READING } from "./schema.ts";

export const policyRoutes = (server: Server, app: App): void => {
  const of = (request: FastifyRequest) => getPolicy(app, viewerOf(request).accountId);
  const options = { config: READING };
  server.get("/api/v1/notifications/policy", options, async (r) => policyV1Entity(await of(r)));
  server.get("/api/v2/notifications/policy", options, async (r) => policyEntity(await of(r)));

  server.route({
    url: "/api/v1/notifications/policy",
    ...changing(user("write:notifications"), PolicyV1Body),
    handler: async (request) => {
      await changePolicy(app, viewerOf(request).accountId, changesOfV1(request.body));
      return policyV1Entity(await of(request));
    },
  });

  server.route({
    url: "/api/v2/notifications/policy",
    ...changing(userForm("write:notifications"), PolicyV2Body),
    handler: async (request) => {
      await changePolicy(app, viewerOf(request).accountId, request.body);
      return policyEntity(await of(request));
    },
  });
};
