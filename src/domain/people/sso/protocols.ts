// Gives each provider its protocol, whose requests go through the guarded client. The library is loaded with the first
// use, so that a server without providers has nothing of it.

import type { Protocol, Send, SsoError } from "#sso";
import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { Provider, SamlProvider, Source } from "./tables.ts";
import { createHash } from "node:crypto";
import { insertAssertion } from "./queries.ts";

/** Returns false for one that was used before; it is remembered until it has expired. */
const useAssertion = (app: App, id: string, until: Date): Promise<boolean> =>
  insertAssertion(app.sql, createHash("sha256").update(id).digest(), until);

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 512 * 1024;
/** Milliseconds for which what a provider said about itself is believed. */
const FRESH_MS = 3_600_000;
const MAX_KEPT = 50;

/** Returns what went wrong at a provider; null for any other error. The class would load the library. */
export const providerFault = (error: unknown): SsoError["fault"] | null =>
  error instanceof Error && error.name === "SsoError" ? (error as SsoError).fault : null;

type Kept = { settings: string; protocol: Protocol; since: number };

const keptOf = perApp("protocols of providers", () => {
  const byId = new Map<string, Kept>();
  return { byId, entries: () => byId.size, clear: () => byId.clear() };
});

const typedAddresses = (provider: Provider): (string | null)[] => {
  if (provider.kind === "oidc")
    return [provider.issuer, ...Object.values(provider.settings.endpoints ?? {})];
  const place = provider.saml.provider;
  return ["url" in place ? place.url : null];
};

/**
 * Returns origins that the staff typed in. Only these may be in one's own network: what the provider names besides
 * them is remote input.
 */
const typedOrigins = (provider: Provider): Set<string> => {
  const typed = typedAddresses(provider).filter((url) => url !== null);
  return new Set(typed.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin));
};

/** Returns the address at which a provider is asked first, by which the staff recognises it. */
export const askedAt = (source: Source): string =>
  (source.kind === "saml" && typedAddresses(source as Provider)[0]) || source.issuer;

const sendTo = (app: App, provider: Provider): Send => {
  const typed = provider.settings.isInside ? typedOrigins(provider) : new Set<string>();
  return async (url, { method, headers, body }) => {
    const answer = await app.fetch.request(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 0,
      configured: typed.has(new URL(url).origin),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    return { ...answer, body: new Uint8Array(answer.body) };
  };
};

const makeSaml = async (app: App, provider: SamlProvider): Promise<Protocol> => {
  const { saml } = await (await import("#sso")).loadSaml();
  const { assumesVerified } = provider.settings;
  const once = (id: string, until: Date) => useAssertion(app, id, until);
  return saml({ ...provider.saml, assumesVerified }, sendTo(app, provider), once);
};

/** Makes the protocol anew, for a provider that is tried before it is saved. */
export const makeProtocol = async (app: App, provider: Provider): Promise<Protocol> => {
  if (provider.kind === "saml") return makeSaml(app, provider);
  const { openIdConnect } = await import("#sso");
  const { settings, issuer, secret } = provider;
  const allowsHttp = settings.isInside || !app.config.site.https;
  return openIdConnect(
    { ...settings, issuer, clientSecret: secret, allowsHttp },
    sendTo(app, provider),
  );
};

export const protocolOf = async (app: App, provider: Provider): Promise<Protocol> => {
  const { byId } = keptOf(app);
  const settings = JSON.stringify(provider);
  const now = performance.now();
  const kept = byId.get(provider.id);
  if (kept && kept.settings === settings && now - kept.since < FRESH_MS) return kept.protocol;
  const protocol = await makeProtocol(app, provider);
  if (byId.size >= MAX_KEPT) byId.clear();
  byId.set(provider.id, { settings, protocol, since: now });
  return protocol;
};
