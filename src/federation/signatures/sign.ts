// Signs outgoing requests as draft-cavage-http-signatures-12 with RSA, which every peer supports.

import { sign, type KeyObject } from "node:crypto";
import { signingString } from "./cavage.ts";
import { digestOf } from "./digest.ts";

export type SignedRequestParts = {
  method: string;
  url: string | URL;
  body?: Uint8Array | string;
  /** Digest header of `body`, where it has been made before. */
  digest?: string;
  /** Address of the public key, `https://…/users/NAME#main-key`. */
  keyId: string;
  privateKey: KeyObject;
  date?: Date;
  accept?: string;
  contentType?: string;
  /** Further headers, in lower case, that are signed and sent. */
  more?: Record<string, string>;
  /** Sends `host` without signing it (shared.ts). */
  isForAnyHost?: boolean;
};

/**
 * Returns the headers to send, names in lower case: host, date, signature, and those of digest, accept and content-type
 * that apply. A body is always covered by a digest, and must be sent as given.
 */
export const signRequest = (parts: SignedRequestParts): Record<string, string> => {
  const url = new URL(parts.url);
  const covered = coveredHeaders(parts, url);
  const signed = Object.keys(covered).filter((name) => name !== "host" || !parts.isForAnyHost);
  const names = ["(request-target)", ...signed];
  const input = {
    method: parts.method,
    target: url.pathname + url.search,
    headers: covered,
    created: null,
    expires: null,
  };
  const text = signingString(names, input) ?? "";
  const signature = sign("sha256", Buffer.from(text), parts.privateKey).toString("base64");
  return { ...covered, signature: signatureHeader(parts.keyId, names, signature) };
};

/** Returns the covered headers in the order of signing: host date digest content-type, or host date accept. */
const coveredHeaders = (parts: SignedRequestParts, url: URL): Record<string, string> => {
  const { body, digest, accept, contentType, more, date = new Date() } = parts;
  return {
    host: url.host,
    date: date.toUTCString(),
    ...(body !== undefined && { digest: digest ?? digestOf(body) }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(accept !== undefined && { accept }),
    ...more,
  };
};

const signatureHeader = (keyId: string, names: string[], signature: string): string =>
  [
    `keyId="${keyId}"`,
    `algorithm="rsa-sha256"`,
    `headers="${names.join(" ")}"`,
    `signature="${signature}"`,
  ].join(",");
