// Judges requests of auxiliary providers before anything of them is read, and signs what they are answered.

import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { ownDomains } from "../../platform/config/names.ts";
import { Forbidden } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { parseId } from "../../platform/ids/index.ts";
import { parseRecord } from "../../platform/json/read.ts";
import { incomingOf } from "../inbox-routes.ts";
import { parseMessage } from "../signatures/parse.ts";
import { SignatureRefused } from "../signatures/refused.ts";
import { signAnswer } from "../signatures/rfc9421.ts";
import { checkSignature, verifySignature } from "../signatures/verify.ts";
import { WINDOW, keyOf } from "./ask.ts";
import { ownKey } from "./own-key.ts";
import { selectProvider } from "./queries.ts";
import type { Capability, ProviderRow } from "./tables.ts";

/** Returns the provider that made the request, now and for the first time. Throws SignatureRefused. */
const signerOf = async (app: App, request: FastifyRequest, body: Buffer): Promise<ProviderRow> => {
  const signature = parseMessage(request.headers);
  const provider = await selectProvider(app.sql, parseId(signature.keyId) ?? "0");
  if (!provider?.confirmed_at) throw new SignatureRefused("key", "The key is not known here");
  const incoming = incomingOf(app, request, body);
  const hosts = ownDomains(app.config.site);
  checkSignature(signature, incoming, { hosts, now: app.clock.now(), ...WINDOW });
  if (!verifySignature(signature, incoming, keyOf(provider.public_key)))
    throw new SignatureRefused("mismatch", "The signature does not match the key");
  const hash = createHash("sha256").update(signature.signature).digest("base64url");
  const seconds = WINDOW.maxAgeSeconds + WINDOW.skewSeconds;
  if (!(await app.kv.add(`fasp-seen:${hash}`, "1", seconds)))
    throw new SignatureRefused("time", "The request was made before");
  return provider;
};

/**
 * Lets only providers ask that offer this, also before it is switched on: one may ask while it is told so. Returns who
 * asks. The raw bytes are what is signed.
 */
export const judged = (scope: Server, app: App, bodyLimit: number, capability: Capability) => {
  const providers = new WeakMap<FastifyRequest, ProviderRow>();
  scope.removeAllContentTypeParsers();
  const options = { parseAs: "buffer", bodyLimit } as const;
  scope.addContentTypeParser("application/json", options, (_request, body, done) =>
    done(null, body),
  );
  scope.addHook("preValidation", async (request) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const provider = await signerOf(app, request, body);
    providers.set(request, provider);
    if (!provider.capabilities.some(({ id }) => id === capability))
      throw new Forbidden("The capability is not offered");
    if (body.length > 0) request.body = parseRecord(body.toString("utf8")) ?? {};
  });
  scope.addHook("onSend", async (request, reply, payload) => {
    const provider = providers.get(request);
    if (!provider) return;
    const body = Buffer.from(typeof payload === "string" ? payload : "");
    const by = { keyId: provider.id, privateKey: ownKey(app, provider), date: app.clock.now() };
    reply.headers(signAnswer({ status: reply.statusCode, body }, by));
  });
  return (request: unknown) => providers.get(request as FastifyRequest)!;
};
