// What auxiliary providers ask of this server, below /fasp: they register there, which means nothing until the staff
// has confirmed it; then their signed requests are judged before anything of them is read.

import type { App } from "../../platform/app.ts";
import type { Rate } from "../../platform/buckets.ts";
import { BadRequest } from "../../platform/errors.ts";
import { addressKey } from "../../platform/http/rate-limit.ts";
import { UNCOUNTED, takeRequest } from "../../platform/http/request-rates.ts";
import { Type, byId, withBody } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { isRecord } from "../../platform/json/read.ts";
import { signAnswer } from "../signatures/rfc9421.ts";
import { judged } from "./judge.ts";
import { registerProvider } from "./providers.ts";
import { changeWish, want } from "./sharing.ts";
import { CATEGORIES, KINDS } from "./tables.ts";

const BASE = "/fasp";
const BODY_LIMIT = 16 * 1024;
/** The page of the staff that lists registrations. */
const COMPLETION = "/admin/domains/fasp";

/** `address` limits the requests of an IP address, `registration` those of a stranger. */
export type FaspRates = { address: Rate; registration: Rate };

export const faspBaseUrl = ({ config }: App): string => config.site.origin + BASE;

const registration = (server: Server, app: App, rate: Rate): void => {
  const options = { ...UNCOUNTED, bodyLimit: BODY_LIMIT };
  server.post(`${BASE}/registration`, options, async (request, reply) => {
    const sender = addressKey(request.ip);
    takeRequest(app, "fasp registration", rate, sender);
    if (!isRecord(request.body)) throw new BadRequest("The request body is not a JSON object");
    const { id, publicKey, privateKey } = await registerProvider(app, request.body, sender);
    const registrationCompletionUri = app.config.site.origin + COMPLETION;
    const text = JSON.stringify({ faspId: id, publicKey, registrationCompletionUri });
    const by = { keyId: id, privateKey, date: app.clock.now() };
    reply.headers(signAnswer({ status: 201, body: Buffer.from(text) }, by));
    return reply.code(201).type("application/json").send(text);
  });
};

const SHARING = `${BASE}/data_sharing/v0`;

const category = Type.Enum([...CATEGORIES]);
/** The `threshold` of trends is not read: posts trend by this server's count. */
const SubscriptionBody = Type.Object({
  category,
  subscriptionType: Type.Enum([...KINDS]),
  maxBatchSize: Type.Optional(Type.Integer()),
});
const BackfillBody = Type.Object({ category, maxCount: Type.Integer() });

const sharing = (scope: Server, app: App, rate: Rate): void => {
  scope.addHook("onRequest", async (request) =>
    takeRequest(app, "fasp address", rate, addressKey(request.ip)),
  );
  const from = judged(scope, app, BODY_LIMIT, "data_sharing");
  const { config } = UNCOUNTED;
  const subscribing = withBody(config, SubscriptionBody);
  scope.post(`${SHARING}/event_subscriptions`, subscribing, async (request, reply) => {
    const { category, subscriptionType: kind, maxBatchSize: most = 100 } = request.body;
    const id = await want(app, from(request), { category, kind, most });
    return reply.code(201).send({ subscription: { id } });
  });
  scope.delete(`${SHARING}/event_subscriptions/:id`, byId(config), async (request, reply) => {
    await changeWish(app, from(request), request.params.id, null);
    return reply.code(204).send();
  });
  const requesting = withBody(config, BackfillBody);
  scope.post(`${SHARING}/backfill_requests`, requesting, async (request, reply) => {
    const { category, maxCount: most } = request.body;
    const wish = { category, kind: "backfill", most, isDue: true } as const;
    const id = await want(app, from(request), wish);
    return reply.code(201).send({ backfillRequest: { id } });
  });
  const next = `${SHARING}/backfill_requests/:id/continuation`;
  scope.post(next, byId(config), async (request, reply) => {
    await changeWish(app, from(request), request.params.id, { isDue: true });
    return reply.code(204).send();
  });
};

export const faspRoutes = (server: Server, app: App, rates: FaspRates): void => {
  registration(server, app, rates.registration);
  server.register(async (scope) => sharing(scope, app, rates.address));
};
