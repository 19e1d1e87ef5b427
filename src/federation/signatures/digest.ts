// The Digest header (RFC 3230): the hash that ties a signature to a body.

import { createHash } from "node:crypto";
import { SignatureRefused } from "./refused.ts";

/** Returns `SHA-256=` and the base64 of the hash, as the value of a Digest header. */
export const digestOf = (body: Uint8Array | string): string =>
  `SHA-256=${createHash("sha256").update(body).digest("base64")}`;

/**
 * Throws SignatureRefused unless the header has exactly one SHA-256, that of the body. Other algorithms
 * are ignored.
 */
export const checkDigest = (header: string | undefined, body: Uint8Array): void => {
  if (header === undefined) throw new SignatureRefused("digest", "The Digest header is missing");
  const digests = header.split(",").flatMap((part) => {
    const [algorithm = "", ...value] = part.split("=");
    return algorithm.trim().toLowerCase() === "sha-256" ? [value.join("=").trim()] : [];
  });
  if (digests.length !== 1)
    throw new SignatureRefused("digest", "Exactly one SHA-256 digest is required");
  if (`SHA-256=${digests[0]}` !== digestOf(body)) {
    throw new SignatureRefused("digest", "The body does not match the digest");
  }
};
