// Requests to auxiliary providers: signed with the key that this server has for each, and believed only if the answer
// is signed by the provider's (RFC 9421, with Ed25519).

import { createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { FetchAnswer } from "../../platform/fetch/index.ts";
import { parseValue } from "../../platform/json/read.ts";
import { checkStatus, toRemoteFault } from "../documents.ts";
import { unacceptable } from "../faults.ts";
import { SignatureRefused } from "../signatures/refused.ts";
import { signMessage } from "../signatures/rfc9421.ts";
import { checkAnswer } from "../signatures/verify.ts";
import { withBreaker } from "../with-breaker.ts";
import { ownKey } from "./own-key.ts";
import type { ProviderRow } from "./tables.ts";

const MAX_ANSWER_BYTES = 256 * 1024;
/** Seconds that a signature is accepted, and that the other clock may be ahead. */
export const WINDOW = { maxAgeSeconds: 300, skewSeconds: 300 } as const;

/** Returns the key that is given as its 32 bytes in base64. Throws where it is none. */
export const keyOf = (base64: string): KeyObject => {
  const x = Buffer.from(base64, "base64").toString("base64url");
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
};

/** Returns the 32 bytes of the key in base64. */
export const toBase64 = (publicKey: KeyObject): string => {
  const { x = "" } = publicKey.export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
};

type Request = { method?: "GET" | "POST" | "DELETE"; path: string; body?: Record<string, unknown> };

const send = (
  app: App,
  provider: ProviderRow,
  { method = "GET", path, body }: Request,
): Promise<FetchAnswer> => {
  const url = provider.base_url.replace(/\/$/, "") + path;
  const text = body === undefined ? "" : JSON.stringify(body);
  const signed = signMessage({
    method,
    url,
    body: text,
    date: app.clock.now(),
    keyId: provider.server_id,
    privateKey: ownKey(app, provider),
  });
  const headers = { ...signed, accept: "application/json", "content-type": "application/json" };
  const sent = method === "POST" ? { body: text } : {};
  const limits = { maxBytes: MAX_ANSWER_BYTES, redirect: 0 };
  return app.fetch.request(url, { method, headers, ...sent, ...limits });
};

/** Returns what the provider answers, null where that is nothing. Throws RemoteFault. */
export const askProvider = async (
  app: App,
  provider: ProviderRow,
  request: Request,
): Promise<unknown> => {
  try {
    const answer = await send(app, provider, request);
    checkStatus(answer);
    checkAnswer(answer, keyOf(provider.public_key), { now: app.clock.now(), ...WINDOW });
    return answer.body.length === 0 ? null : parseValue(answer.body.toString("utf8"));
  } catch (error) {
    throw error instanceof SignatureRefused ? unacceptable(error.message) : toRemoteFault(error);
  }
};

/** The same for jobs, which leave a provider alone that has not answered lately. */
export const askInJob = (app: App, provider: ProviderRow, request: Request): Promise<unknown> =>
  withBreaker(app, provider.base_url, () => askProvider(app, provider, request));
