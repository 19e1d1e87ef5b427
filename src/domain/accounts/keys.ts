// The RSA key pair of an actor (draft-cavage signatures need RSA; peers expect 2048 bits).

import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

export type KeyPem = { publicKeyPem: string; privateKeyPem: string };

export const generateKeyPem = async (): Promise<KeyPem> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
};
