// Verifies the signature of a request. Checks that need no key are separate and come first, so that no
// key is fetched for a request that is refused anyway.

import { constants, verify, type KeyObject } from "node:crypto";
import { headerValue, signingString, type HeaderValues } from "./cavage.ts";
import { checkDigest } from "./digest.ts";
import { parseMessage } from "./parse.ts";
import type { ParsedSignature } from "./parse.ts";
import { SignatureRefused } from "./refused.ts";
import { checkContentDigest, componentOf, signatureBase } from "./rfc9421.ts";
import type { MessageTarget } from "./rfc9421.ts";

/** A request as it was received. */
export type IncomingRequest = {
  method: string;
  /** Path and query, exactly as in the request line. */
  target: string;
  headers: HeaderValues;
  /** Scheme of the address that it was sent to; https by default. */
  scheme?: "http" | "https";
  /** The raw body; empty where there is none. */
  body: Uint8Array;
  /** Of an answer alone. */
  status?: number;
};

/** An answer as it was received. */
type IncomingAnswer = { status: number; headers: HeaderValues; body: Uint8Array };

export type SignaturePolicy = {
  /** The hosts of this server, with the port where it is not the default one. */
  hosts: string[];
  now: Date;
  /** Maximum age of a signature in seconds; 12 hours by default. */
  maxAgeSeconds?: number;
  /** Seconds that a signer's clock may be ahead; one hour by default. */
  skewSeconds?: number;
};

const MAX_AGE_SECONDS = 12 * 60 * 60;
const SKEW_SECONDS = 60 * 60;
/** The date form of RFC 9110 that senders must use; Date.parse alone accepts nearly anything. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Checks everything but the key: coverage, host, time, digest. Throws SignatureRefused. */
export const checkSignature = (
  parsed: ParsedSignature,
  request: IncomingRequest,
  policy: SignaturePolicy,
): void => {
  checkCoverage(parsed, request);
  checkHost(request, policy.hosts);
  checkTime(parsed, request, policy);
  if (hasNoBody(request)) return;
  if (parsed.form === "rfc9421") {
    return checkContentDigest(headerValue(request.headers, "content-digest"), request.body);
  }
  checkDigest(headerValue(request.headers, "digest"), request.body);
};

/** Whether the key is of the kind that the signature names, if it names one. */
const isOfKey = ({ algorithm }: ParsedSignature, { asymmetricKeyType: type }: KeyObject) => {
  if (type === "ed25519")
    return algorithm === "ed25519" || algorithm === "hs2019" || algorithm === null;
  return type === "rsa" && algorithm !== "ed25519";
};

/**
 * Whether the key made the signature: Ed25519, or RSASSA-PKCS1-v1_5 with SHA-256 for all names of RSA. Some peers leave
 * the query out of a GET's target, so that is tried as well. Never throws.
 */
export const verifySignature = (
  parsed: ParsedSignature,
  request: IncomingRequest,
  publicKey: KeyObject,
): boolean => {
  if (!isOfKey(parsed, publicKey)) return false;
  if (fits(parsed, request, publicKey)) return true;
  const query = request.target.indexOf("?");
  if (query < 0 || request.method.toUpperCase() !== "GET") return false;
  return fits(parsed, { ...request, target: request.target.slice(0, query) }, publicKey);
};

const messageOf = ({ scheme = "https", ...request }: IncomingRequest): MessageTarget => ({
  ...request,
  scheme,
});

const signedText = (parsed: ParsedSignature, request: IncomingRequest): string | null => {
  const { signedHeaders, created, expires, parameters } = parsed;
  return parsed.form === "rfc9421"
    ? signatureBase(signedHeaders, parameters ?? "", messageOf(request))
    : signingString(signedHeaders, { ...request, created, expires });
};

const fits = (parsed: ParsedSignature, request: IncomingRequest, key: KeyObject): boolean => {
  const { signature } = parsed;
  const text = signedText(parsed, request);
  if (text === null) return false;
  try {
    if (key.asymmetricKeyType === "ed25519") return verify(null, Buffer.from(text), key, signature);
    return verify(
      "sha256",
      Buffer.from(text),
      { key, padding: constants.RSA_PKCS1_PADDING },
      signature,
    );
  } catch {
    return false;
  }
};

/** Throws SignatureRefused unless the key signed the answer's status and body (RFC 9421). */
export const checkAnswer = (
  { status, headers, body }: IncomingAnswer,
  publicKey: KeyObject,
  policy: Omit<SignaturePolicy, "hosts">,
): void => {
  const parsed = parseMessage(headers);
  const answer = { method: "", target: "", headers, body, status };
  if (!["@status", "content-digest"].every((name) => parsed.signedHeaders.includes(name)))
    throw new SignatureRefused("coverage", "@status and content-digest must be signed");
  checkTime(parsed, answer, policy);
  checkContentDigest(headerValue(headers, "content-digest"), body);
  if (!verifySignature(parsed, answer, publicKey))
    throw new SignatureRefused("mismatch", "The answer is not by this key");
};

const hasNoBody = ({ method, body }: IncomingRequest): boolean =>
  ["GET", "HEAD"].includes(method.toUpperCase()) && body.length === 0;

/** Checks that method, address and body are covered; the time is always signed. */
const checkMessageCoverage = (names: string[], request: IncomingRequest): void => {
  const isCovered =
    names.includes("@method") &&
    (names.includes("@target-uri") ||
      (names.includes("@authority") &&
        (names.includes("@request-target") ||
          (names.includes("@path") &&
            (names.includes("@query") || !request.target.includes("?"))))));
  if (!isCovered) throw new SignatureRefused("coverage", "@method and @target-uri must be signed");
  if (!hasNoBody(request) && !names.includes("content-digest")) {
    throw new SignatureRefused("coverage", "content-digest must be signed");
  }
  if (names.some((name) => componentOf(name, messageOf(request)) === null)) {
    throw new SignatureRefused("coverage", "A signed component is missing");
  }
};

const checkCoverage = ({ form, signedHeaders }: ParsedSignature, request: IncomingRequest) => {
  if (form === "rfc9421") return checkMessageCoverage(signedHeaders, request);
  const dated = signedHeaders.includes("(created)") ? [] : ["date"];
  const digested = hasNoBody(request) ? [] : ["digest"];
  for (const name of ["(request-target)", "host", ...dated, ...digested]) {
    if (!signedHeaders.includes(name)) {
      throw new SignatureRefused("coverage", `${name} must be signed`);
    }
  }
  const absent = signedHeaders.find(
    (name) => !name.startsWith("(") && headerValue(request.headers, name) === undefined,
  );
  if (absent !== undefined) throw new SignatureRefused("coverage", "A signed header is missing");
};

const checkHost = ({ headers }: IncomingRequest, hosts: string[]): void => {
  const usual = (host: string): string =>
    host
      .trim()
      .toLowerCase()
      .replace(/:(?:443|80)$/, "");
  const signedHost = usual(headerValue(headers, "host") ?? "");
  if (!hosts.some((host) => usual(host) === signedHost)) {
    throw new SignatureRefused("host", "The signature is for another host");
  }
};

const checkTime = (
  { form, signedHeaders, created, expires }: ParsedSignature,
  { headers }: IncomingRequest,
  {
    now,
    maxAgeSeconds = MAX_AGE_SECONDS,
    skewSeconds = SKEW_SECONDS,
  }: Omit<SignaturePolicy, "hosts">,
): void => {
  const seconds = now.getTime() / 1000;
  const times: number[] = [];
  if (form === "rfc9421" || signedHeaders.includes("(created)")) times.push(created ?? NaN);
  if (signedHeaders.includes("date")) times.push(dateSeconds(headerValue(headers, "date")));
  // Written in this way, NaN (an invalid time) is refused as well.
  const current = times.every((at) => at >= seconds - maxAgeSeconds && at <= seconds + skewSeconds);
  if (!current || (expires !== null && expires < seconds)) {
    throw new SignatureRefused("time", "The signature is too old or its date is in the future");
  }
};

const dateSeconds = (text = ""): number => (HTTP_DATE.test(text) ? Date.parse(text) / 1000 : NaN);
