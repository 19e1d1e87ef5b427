// Serves the Web Push subscription of a token, or of the session of the web client.
// https://docs.joinmastodon.org/methods/push/

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { admittedToken, user, viewerOf } from "../../../platform/http/auth.ts";
import { Type, changing, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { wantsNumber } from "./number-apps.ts";
import { deleteSubscriptionOf } from "./queries.ts";
import { ALERTS, changeSubscription, getSubscription, subscribe } from "./subscribe.ts";
import type { Subscriber } from "./subscribe.ts";
import type { Owner, SubscriptionRow } from "./tables.ts";

const Text = Type.Optional(Type.String());
const Data = Type.Optional(
  Type.Object({
    alerts: Type.Optional(
      Type.Object(Object.fromEntries(ALERTS.map((type) => [type, Type.Optional(Type.Boolean())]))),
    ),
    policy: Text,
  }),
);
const SubscribeBody = Type.Object({
  subscription: Type.Optional(
    Type.Object({
      endpoint: Text,
      keys: Type.Optional(Type.Object({ p256dh: Text, auth: Text })),
      standard: Type.Optional(Type.Boolean()),
    }),
  ),
  data: Data,
});
const ChangeBody = Type.Object({ data: Data, policy: Text });

/** The id is below 2^31: Java and Kotlin read it into 32 bits, from a text as from a number. */
const entity = async (app: App, request: FastifyRequest, row: SubscriptionRow) => ({
  id: (await wantsNumber(app, request.credentials!.appId)) ? Number(row.id) : row.id,
  endpoint: row.endpoint,
  standard: row.standard,
  alerts: row.alerts,
  policy: row.policy,
  server_key: app.config.secrets.vapid.publicKey,
});

const ownerOf = (request: FastifyRequest): Owner => request.credentials!;

const subscriberOf = (request: FastifyRequest): Subscriber => ({
  owner: ownerOf(request),
  accountId: viewerOf(request).accountId,
  token: admittedToken(request),
});

export const pushRoutes = (server: Server, app: App): void => {
  const config = user("push");
  const path = "/api/v1/push/subscription";

  server.get(path, { config }, async (request) =>
    entity(app, request, await getSubscription(app, ownerOf(request))),
  );

  server.post(path, withBody(config, SubscribeBody), async (request) =>
    entity(app, request, await subscribe(app, subscriberOf(request), request.body)),
  );

  server.route({
    url: path,
    ...changing(config, ChangeBody),
    handler: async (request) => {
      const { data = {}, policy } = request.body;
      const settings = { ...(policy !== undefined && { policy }), ...data };
      return entity(app, request, await changeSubscription(app, ownerOf(request), settings));
    },
  });

  server.delete(path, { config }, async (request) => {
    await deleteSubscriptionOf(app.sql, ownerOf(request));
    return {};
  });
};
