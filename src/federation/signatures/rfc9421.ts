// HTTP Message Signatures (RFC 9421), the successor of draft-cavage, with RSA and, in requests of others, Ed25519.
// Signature-Input names what is signed, and Content-Digest (RFC 9530) covers the body.

import { createHash, sign } from "node:crypto";
import { headerValue } from "./cavage.ts";
import type { HeaderValues } from "./cavage.ts";
import { SignatureRefused } from "./refused.ts";
import type { SignedRequestParts } from "./sign.ts";

const ALGORITHM = "rsa-v1_5-sha256";
/** Algorithms that are verified. */
const ALGORITHMS = new Set<string | null>([null, ALGORITHM, "ed25519"]);

/** The request that a signature is about, or the answer, of which the status counts. */
export type MessageTarget = {
  method: string;
  /** Path and query, exactly as in the request line. */
  target: string;
  headers: HeaderValues;
  scheme: "http" | "https";
  status?: number;
};

const pathOf = (target: string): string => target.split("?", 1)[0]!;
const queryOf = (target: string): string => `?${target.split("?").slice(1).join("?")}`;

/** Derived components (RFC 9421, 2.2). */
const DERIVED: Record<string, (request: MessageTarget) => string | null> = {
  "@method": ({ method }) => method.toUpperCase(),
  "@target-uri": ({ scheme, headers, target }) => `${scheme}://${authorityOf(headers)}${target}`,
  "@authority": ({ headers }) => authorityOf(headers),
  "@scheme": ({ scheme }) => scheme,
  "@request-target": ({ target }) => target,
  "@path": ({ target }) => pathOf(target),
  "@query": ({ target }) => queryOf(target),
  "@status": ({ status }) => (status === undefined ? null : String(status)),
};

const authorityOf = (headers: HeaderValues): string =>
  (headerValue(headers, "host") ?? "").trim().toLowerCase();

const isDerived = (name: string): boolean => Object.hasOwn(DERIVED, name);

/** Returns the value of a component; null where the request has none. */
export const componentOf = (name: string, request: MessageTarget): string | null => {
  if (name.startsWith("@")) return isDerived(name) ? DERIVED[name]!(request) : null;
  return headerValue(request.headers, name)?.trim() ?? null;
};

/**
 * Returns the text that is signed; `parameters` is written as in Signature-Input. Null where a component is missing.
 */
export const signatureBase = (
  names: string[],
  parameters: string,
  request: MessageTarget,
): string | null => {
  const lines = names.map((name) => {
    const value = componentOf(name, request);
    return value === null ? null : `"${name}": ${value}`;
  });
  return lines.includes(null) ? null : [...lines, `"@signature-params": ${parameters}`].join("\n");
};

const malformed = (message: string): SignatureRefused => new SignatureRefused("malformed", message);

const MAX_LENGTH = 8192;
const MAX_COMPONENTS = 32;
/** The first signature of the dictionary; further ones are not read. */
const MEMBER = /^\s*([a-z*][a-z0-9_.*-]{0,63})=(\(([^()]*)\)((?:;[^,]*)?))\s*(?:,|$)/;
const COMPONENT = /\s*"([a-z0-9@_.!#$%&'*+^`|~-]{1,100})"(?=\s|$)/y;
const PARAMETER = /;([a-z]{1,20})=(?:"([^"\\]{0,2048})"|(\d{1,15}))/y;

const componentsIn = (text: string): string[] => {
  const names: string[] = [];
  COMPONENT.lastIndex = 0;
  const trimmed = text.trimEnd();
  while (COMPONENT.lastIndex < trimmed.length) {
    // A component with parameters of its own is not supported.
    const match = COMPONENT.exec(trimmed);
    if (!match || names.length === MAX_COMPONENTS)
      throw malformed("Signature-Input cannot be read");
    names.push(match[1]!);
  }
  if (new Set(names).size !== names.length) throw malformed("A component is named twice");
  return names;
};

const parametersIn = (text: string): Map<string, string> => {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = 0;
  while (PARAMETER.lastIndex < text.length) {
    const [, name = "", quoted, number] = PARAMETER.exec(text) ?? [];
    if (name === "" || parameters.has(name)) throw malformed("Signature-Input cannot be read");
    parameters.set(name, quoted ?? number ?? "");
  }
  return parameters;
};

type MessageSignature = {
  /** Null when the key determines the algorithm. */
  algorithm: "rsa-v1_5-sha256" | "ed25519" | null;
  names: string[];
  /** Parameters as they stand in the header, the last line of what is signed. */
  parameters: string;
  /** Empty where none is named: an answer is by whom the request went to. */
  keyId: string;
  created: number;
  expires: number | null;
  signature: Buffer;
};

const valueOf = (header: string, label: string): Buffer => {
  const start = `${label}=:`;
  const member = header.split(",").find((part) => part.trim().startsWith(start));
  const [, value] = /^[^:]*:([A-Za-z\d+/]+={0,2}):\s*$/.exec(member ?? "") ?? [];
  if (value === undefined) throw malformed("The Signature header does not fit Signature-Input");
  return Buffer.from(value, "base64");
};

/** Parses the first signature. Throws SignatureRefused. */
export const parseMessageSignature = (input: string, header: string): MessageSignature => {
  if (input.length > MAX_LENGTH || header.length > MAX_LENGTH)
    throw malformed("The signature is too long");
  const [, label = "", parameters = "", list = "", rest = ""] = MEMBER.exec(input) ?? [];
  if (label === "") throw malformed("Signature-Input cannot be read");
  const values = parametersIn(rest.trimEnd());
  const [keyId = "", created = ""] = [values.get("keyid"), values.get("created")];
  if (!/^\d+$/.test(created)) throw malformed("The signature has no time");
  const algorithm = values.get("alg") ?? null;
  if (!ALGORITHMS.has(algorithm)) {
    throw new SignatureRefused("algorithm", `Only ${ALGORITHM} and ed25519 are supported`);
  }
  const expires = values.get("expires");
  return {
    algorithm: algorithm as MessageSignature["algorithm"],
    names: componentsIn(list),
    parameters: parameters.trimEnd(),
    keyId,
    created: Number(created),
    expires: expires === undefined ? null : Number(expires),
    signature: valueOf(header, label),
  };
};

const digest = (algorithm: "sha256" | "sha512", body: Uint8Array): string =>
  createHash(algorithm).update(body).digest("base64");

const contentDigest = (body: Uint8Array): string => `sha-256=:${digest("sha256", body)}:`;

/** Throws SignatureRefused unless the header has the digest of the body, and no other digest of a known kind. */
export const checkContentDigest = (header: string | undefined, body: Uint8Array): void => {
  const digests = [
    ...(header ?? "").matchAll(/(?:^|,)\s*(sha-256|sha-512)=:([A-Za-z\d+/]+={0,2}):/g),
  ];
  if (digests.length === 0)
    throw new SignatureRefused("digest", "The Content-Digest header is missing");
  const fits = digests.every(([, name, value]) =>
    name === "sha-256" ? value === digest("sha256", body) : value === digest("sha512", body),
  );
  if (!fits) throw new SignatureRefused("digest", "The body does not match the digest");
};

/** Returns the headers of a signed request, in lower case, with `host`. */
export const signMessage = (parts: SignedRequestParts): Record<string, string> => {
  const { method, body, keyId, privateKey, accept, contentType, more, date = new Date() } = parts;
  const url = new URL(parts.url);
  const headers: Record<string, string> = {
    host: url.host,
    date: date.toUTCString(),
    ...(body !== undefined && { "content-digest": contentDigest(Buffer.from(body)) }),
    ...(contentType !== undefined && { "content-type": contentType }),
    ...(accept !== undefined && { accept }),
    ...more,
  };
  const { host: _host, date: _date, accept: _accept, ...covered } = headers;
  const names = ["@method", "@target-uri", ...Object.keys(covered)];
  const scheme = url.protocol === "http:" ? "http" : "https";
  const target = url.pathname + url.search;
  const signed = signAs(names, { method, target, headers, scheme }, { keyId, privateKey, date });
  return { ...headers, ...signed };
};

type Signed = Required<Pick<SignedRequestParts, "keyId" | "privateKey" | "date">>;

/** Signs these components of a message; returns the headers to add. */
const signAs = (
  names: string[],
  message: MessageTarget,
  { keyId, privateKey, date }: Signed,
): Record<string, string> => {
  const created = Math.floor(date.getTime() / 1000);
  const list = names.map((name) => `"${name}"`).join(" ");
  const isEd25519 = privateKey.asymmetricKeyType === "ed25519";
  const algorithm = isEd25519 ? "ed25519" : ALGORITHM;
  const parameters = `(${list});created=${created};keyid="${keyId}";alg="${algorithm}"`;
  const base = signatureBase(names, parameters, message)!;
  const hash = isEd25519 ? null : "sha256";
  const signature = sign(hash, Buffer.from(base), privateKey).toString("base64");
  return { "signature-input": `sig1=${parameters}`, signature: `sig1=:${signature}:` };
};

/** Returns the headers of a signed answer, which cover its status and body. */
export const signAnswer = (
  { status, body }: { status: number; body: Uint8Array },
  by: Signed,
): Record<string, string> => {
  const headers = { "content-digest": contentDigest(body) };
  const answer: MessageTarget = { method: "", target: "", scheme: "https", headers, status };
  return { ...headers, ...signAs(["@status", "content-digest"], answer, by) };
};
