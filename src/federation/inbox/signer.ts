// Finds who signed a request: the key is looked up by its id, and fetched from its origin when the stored one does not
// fit (actors change keys, but rarely).

import type { App } from "../../platform/app.ts";
import { refund } from "../../platform/fetch/budget.ts";
import { sameHost } from "../../platform/json/read.ts";
import { refreshLater } from "../actors.ts";
import { keyById } from "../key-by-id.ts";
import type { SignerKey } from "../key-by-id.ts";
import { knowsEd25519 } from "../signatures/forms.ts";
import { publicKeyOf } from "../signatures/keys.ts";
import type { ParsedSignature } from "../signatures/parse.ts";
import { SignatureRefused } from "../signatures/refused.ts";
import { verifySignature } from "../signatures/verify.ts";
import type { IncomingRequest } from "../signatures/verify.ts";

/** Seconds between fetches of a stored key: anybody can send a signature that does not fit. */
const REFRESH_SECONDS = 300;

export type Signer = {
  accountId: string;
  uri: string;
  suspended: boolean;
  suspendedRemotely: boolean;
};

type SignedRequest = { signature: ParsedSignature; request: IncomingRequest };

const fits = (app: App, key: SignerKey, { signature, request }: SignedRequest): boolean =>
  verifySignature(signature, request, publicKeyOf(app, key.publicKey));

const mayRefresh = (app: App, keyId: string): Promise<boolean> =>
  app.kv.add(`key-refresh:${keyId}`, "1", REFRESH_SECONDS);

/** Requests for an actor whose key was fetched: its document and its WebFinger. */
const FETCHES_OF_KEY = 2;

/** Accepts a signer: the budget is refunded, and the actor is refreshed from time to time. */
const verified = async (app: App, keyId: string, key: SignerKey): Promise<Signer> => {
  const { accountId: id, uri, fetchedAt: fetched_at, cached } = key;
  if (publicKeyOf(app, key.publicKey)?.asymmetricKeyType === "ed25519") {
    await knowsEd25519(app, new URL(keyId).host);
  }
  if (cached) await refreshLater(app, { id, uri, fetched_at });
  else refund(app, "key", keyId, FETCHES_OF_KEY);
  return key;
};

/** Whether another actor of the host may have claimed the key before its owner was known here. */
const maybeAnothers = (key: SignerKey, keyId: string, actorUri: string): boolean => {
  const isNamedAfterIt =
    keyId.startsWith(key.uri) && /^(?:[#/?]|$)/.test(keyId.slice(key.uri.length));
  return key.uri !== actorUri && !isNamedAfterIt && sameHost(keyId, actorUri);
};

/**
 * Returns the account whose key made the signature; `actorUri` is the actor of the activity, where there is one. Throws
 * SignatureRefused, or Unavailable.
 */
export const verifiedSigner = async (
  app: App,
  signature: ParsedSignature,
  request: IncomingRequest,
  actorUri?: string,
): Promise<Signer> => {
  const { keyId } = signature;
  const signed = { signature, request };
  const named = actorUri === undefined ? {} : { signer: actorUri };
  const key = await keyById(app, keyId, named);
  const isFit = fits(app, key, signed);
  const mayBeClaimed = actorUri !== undefined && maybeAnothers(key, keyId, actorUri);
  if (isFit && !mayBeClaimed) return verified(app, keyId, key);
  if (key.cached && (await mayRefresh(app, keyId))) {
    const fresh = await keyById(app, keyId, { ...named, refresh: true });
    if (fits(app, fresh, signed)) return verified(app, keyId, fresh);
  }
  if (isFit) return verified(app, keyId, key);
  throw new SignatureRefused("mismatch", "The signature does not match the key");
};
