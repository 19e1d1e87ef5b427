// The server's own actor at /actor signs requests that are not made for a person, so that peers in secure mode respond.
// Its keys are generated at the first use.

import type { KeyObject } from "node:crypto";
import type { App } from "../platform/app.ts";
import { perApp } from "../platform/caches/index.ts";
import type { FetchAnswer } from "../platform/fetch/index.ts";
import { ACTOR_CONTEXT } from "../domain/people/accounts/activitypub.ts";
import { ensureSetting } from "../domain/base/settings/settings.ts";
import { generateKeyPem } from "../domain/people/accounts/keys.ts";
import { privateKeyOf } from "./signatures/keys.ts";
import { sendSigned } from "./signatures/forms.ts";

type InstanceActor = {
  uri: string;
  keyId: string;
  privateKey: KeyObject;
  publicKeyPem: string;
};

/** Name of the server's actor. People cannot choose it: their names have no dots. */
export const INSTANCE_ACTOR_NAME = "rookery.internal";

const loadingOf = perApp("instance actor", () => {
  const state: { actor: Promise<InstanceActor> | null } = { actor: null };
  return { state, entries: () => (state.actor ? 1 : 0), clear: () => void (state.actor = null) };
});

const load = async (app: App): Promise<InstanceActor> => {
  const uri = `${app.config.site.origin}/actor`;
  const pair = await ensureSetting(app, "instance_actor_keys", generateKeyPem);
  const privateKey = privateKeyOf(app, pair.privateKeyPem);
  return { uri, keyId: `${uri}#main-key`, privateKey, publicKeyPem: pair.publicKeyPem };
};

/** Loads the actor once per process, since its keys never change; a failure is not cached. */
export const instanceActor = (app: App): Promise<InstanceActor> => {
  const { state } = loadingOf(app);
  state.actor ??= load(app).catch((error: unknown) => {
    state.actor = null;
    throw error;
  });
  return state.actor;
};

export const instanceActorDocument = async (app: App) => {
  const { uri, keyId, publicKeyPem } = await instanceActor(app);
  const { origin } = app.config.site;
  return {
    "@context": ACTOR_CONTEXT,
    id: uri,
    type: "Application",
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    preferredUsername: INSTANCE_ACTOR_NAME,
    url: `${origin}/about`,
    manuallyApprovesFollowers: true,
    publicKey: { id: keyId, owner: uri, publicKeyPem },
    endpoints: { sharedInbox: `${origin}/inbox` },
  };
};

type SignedGetOptions = {
  accept: string;
  maxBytes: number;
  timeoutMs?: number;
  onRedirect?: (from: URL, to: URL) => void;
};

/** Makes a GET signed by the server's actor, again for each redirect. Throws like app.fetch. */
export const signedGet = async (
  app: App,
  url: string,
  { accept, ...options }: SignedGetOptions,
): Promise<FetchAnswer> => {
  const { keyId, privateKey } = await instanceActor(app);
  const keys = { rsa: { keyId, privateKey }, ed25519: null };
  return sendSigned(app, new URL(url).host, keys, (signAs) => {
    const headersFor = (target: URL) =>
      signAs({ method: "GET", url: target, accept, date: app.clock.now() });
    return app.fetch.request(url, { ...options, headersFor });
  });
};
