// A passkey in software (WebAuthn level 3): makes an ES256 key, answers a page's options as a browser would, and gives
// false answers where a test asks for them.

import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

const bytes = (...parts: (Buffer | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Encodes CBOR (RFC 8949) byte strings and texts of up to 65535 bytes. */
const cborHead = (major: number, length: number): number[] => {
  if (length < 24) return [(major << 5) | length];
  if (length < 256) return [(major << 5) | 24, length];
  return [(major << 5) | 25, length >> 8, length & 255];
};
const cborBytes = (data: Buffer): Buffer => bytes(cborHead(2, data.length), data);
const cborText = (text: string): Buffer => bytes(cborHead(3, text.length), Buffer.from(text));

const sha256 = (data: Buffer | string): Buffer => createHash("sha256").update(data).digest();

/** Returns the COSE form of a P-256 key (RFC 9053, 7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
const coseKey = (key: KeyObject): Buffer => {
  const { x, y } = key.export({ format: "jwk" });
  const half = (text: string | undefined) => cborBytes(Buffer.from(text!, "base64url"));
  return bytes([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21], half(x), [0x22], half(y));
};

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const ATTESTED = 64;

export type Lies = { origin?: string; verified?: boolean; challenge?: string; counter?: number };

export type Authenticator = {
  id: string;
  /** Returns the answer to a page's options as JSON: the value of the form's `credential`. */
  create(optionsJSON: string, lies?: Lies): string;
  get(optionsJSON: string, lies?: Lies): string;
};

/** Makes a passkey for pages at `origin`. */
export const makeAuthenticator = (origin: string): Authenticator => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;

  const authenticatorData = (flags: number, lies: Lies, rest: Buffer = Buffer.alloc(0)): Buffer => {
    counter = lies.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = lies.verified === false ? 0 : USER_VERIFIED;
    const rpId = new URL(origin).hostname;
    return bytes(sha256(rpId), [flags | USER_PRESENT | verified], count, rest);
  };

  const clientData = (type: string, options: { challenge: string }, lies: Lies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? options.challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const answer = (response: Record<string, Buffer>) =>
    JSON.stringify({
      id: id.toString("base64url"),
      rawId: id.toString("base64url"),
      type: "public-key",
      clientExtensionResults: {},
      response: {
        ...Object.fromEntries(
          Object.entries(response).map(([name, data]) => [name, data.toString("base64url")]),
        ),
        transports: ["internal"],
      },
    });

  return {
    id: id.toString("base64url"),
    create(optionsJSON, lies = {}) {
      const clientDataJSON = clientData("webauthn.create", JSON.parse(optionsJSON), lies);
      const attested = bytes(Buffer.alloc(16), [0, id.length], id, coseKey(publicKey));
      const data = authenticatorData(ATTESTED, lies, attested);
      const attestationObject = bytes(
        [0xa3],
        cborText("fmt"),
        cborText("none"),
        cborText("attStmt"),
        [0xa0],
        cborText("authData"),
        cborBytes(data),
      );
      return answer({ clientDataJSON, attestationObject });
    },
    get(optionsJSON, lies = {}) {
      const clientDataJSON = clientData("webauthn.get", JSON.parse(optionsJSON), lies);
      const data = authenticatorData(0, lies);
      const signature = sign("sha256", bytes(data, sha256(clientDataJSON)), privateKey);
      return answer({ clientDataJSON, authenticatorData: data, signature });
    },
  };
};
