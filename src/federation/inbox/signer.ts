// Who signed a request: the key is looked up by its id, and fetched from its origin when the stored one
// does not fit (actors change keys, but rarely).

import type { App } from "../../platform/app.ts";
import { keyById } from "../key-by-id.ts";
import type { SignerKey } from "../key-by-id.ts";
import { publicKeyOf } from "../signatures/keys.ts";
import type { ParsedSignature } from "../signatures/parse.ts";
import { SignatureRefused } from "../signatures/refused.ts";
import { verifySignature } from "../signatures/verify.ts";
import type { IncomingRequest } from "../signatures/verify.ts";

/** A stored key is fetched again at most this often: anybody can send a signature that does not fit. */
const REFRESH_SECONDS = 300;

export type Signer = { accountId: string; uri: string; suspended: boolean };

type SignedRequest = { signature: ParsedSignature; request: IncomingRequest };

const fits = (app: App, key: SignerKey, { signature, request }: SignedRequest): boolean =>
  verifySignature(signature, request, publicKeyOf(app, key.publicKeyPem));

const mayRefresh = (app: App, keyId: string): Promise<boolean> =>
  app.kv.add(`key-refresh:${keyId}`, "1", REFRESH_SECONDS);

/** The account whose key made the signature. Throws SignatureRefused, or Unavailable. */
export const verifiedSigner = async (
  app: App,
  signature: ParsedSignature,
  request: IncomingRequest,
): Promise<Signer> => {
  const { keyId } = signature;
  const signed = { signature, request };
  const key = await keyById(app, keyId);
  if (fits(app, key, signed)) return key;
  if (key.cached && (await mayRefresh(app, keyId))) {
    const fresh = await keyById(app, keyId, { refresh: true });
    if (fits(app, fresh, signed)) return fresh;
  }
  throw new SignatureRefused("mismatch", "The signature does not match the key");
};
