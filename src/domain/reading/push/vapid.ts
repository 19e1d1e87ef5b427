// Makes VAPID tokens (RFC 8292), which tell a push service which server sends, signed for that service.

import { createPrivateKey, sign } from "node:crypto";
import type { FullConfig } from "../../../platform/config/config.ts";

const LIFETIME_S = 12 * 60 * 60;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const keyOf = ({ publicKey, privateKey }: FullConfig["secrets"]["vapid"]) => {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString("base64url"),
  );
  const d = Buffer.from(privateKey, "base64url").toString("base64url");
  return createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y!, d } });
};

/** Returns the token for the push service of `endpoint`; `contact` is the address for its operators. */
export const vapidToken = (
  vapid: FullConfig["secrets"]["vapid"],
  { endpoint, contact, now }: { endpoint: string; contact: string; now: Date },
): string => {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + LIFETIME_S,
    sub: contact,
  };
  const signed = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const key = { key: keyOf(vapid), dsaEncoding: "ieee-p1363" as const };
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
};
