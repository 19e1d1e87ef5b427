// Where auxiliary providers register, below /fasp. What a stranger sends is bounded, and means nothing until the staff
// has confirmed it.

import type { App } from "../../platform/app.ts";
import type { Rate } from "../../platform/buckets.ts";
import { BadRequest } from "../../platform/errors.ts";
import { addressKey } from "../../platform/http/rate-limit.ts";
import { UNCOUNTED, takeRequest } from "../../platform/http/request-rates.ts";
import type { Server } from "../../platform/http/server.ts";
import { isRecord } from "../../platform/json/read.ts";
import { signAnswer } from "../signatures/rfc9421.ts";
import { registerProvider } from "./providers.ts";

const BASE = "/fasp";
const BODY_LIMIT = 16 * 1024;
/** The page of the staff that lists registrations. */
const COMPLETION = "/admin/domains/fasp";

export const faspBaseUrl = ({ config }: App): string => config.site.origin + BASE;

/** `rate` limits the registrations of an IP address. */
export const faspRoutes = (server: Server, app: App, rate: Rate): void => {
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
