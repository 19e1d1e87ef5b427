// Verifies requests as servers of other kinds do (draft-cavage): as strictly as possible, or by the rules in a file of
// test/federation/shapes/. Written for these tests from public documentation.

import { createHash, createPublicKey, verify } from "node:crypto";
import type { Received } from "./fake-peer.ts";

export type VerifierRules = {
  /** Parts that a POST and a GET must sign. */
  post: string[];
  get: string[];
  /** Maximum age of the date, and how far it may be ahead. */
  oldest: number;
  ahead: number;
};

export const STRICT: VerifierRules = {
  post: ["(request-target)", "host", "date", "digest"],
  get: ["(request-target)", "host", "date"],
  oldest: 60,
  ahead: 60,
};

const parametersOf = (header: string): Record<string, string> =>
  Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

const digestOf = (body: string): string =>
  `SHA-256=${createHash("sha256").update(body).digest("base64")}`;

/** Returns why the request is refused; null if it is accepted. */
export const refusal = (
  rules: VerifierRules,
  { method, path, headers, body }: Received,
  publicKeyPem: string,
  now: Date,
): string | null => {
  const { headers: signed = "date", signature = "" } = parametersOf(String(headers["signature"]));
  const names = signed.split(" ");
  const missing = (method === "POST" ? rules.post : rules.get).find(
    (name) => !names.includes(name),
  );
  if (missing) return `${missing} is not signed`;
  const age = (now.getTime() - Date.parse(String(headers["date"]))) / 1000;
  if (!(age <= rules.oldest && age >= -rules.ahead)) return "the date is too old or ahead";
  if (method === "POST" && headers["digest"] !== digestOf(body)) return "another digest";
  const lines = names.map((name) =>
    name === "(request-target)"
      ? `${name}: ${method.toLowerCase()} ${path}`
      : `${name}: ${String(headers[name])}`,
  );
  const key = createPublicKey(publicKeyPem);
  const isRight = verify(
    "sha256",
    Buffer.from(lines.join("\n")),
    key,
    Buffer.from(signature, "base64"),
  );
  return isRight ? null : "the signature is of something else";
};

/** Returns what a request signs. */
export const signedBy = ({ headers }: Received): string[] =>
  parametersOf(String(headers["signature"]))["headers"]?.split(" ") ?? [];
