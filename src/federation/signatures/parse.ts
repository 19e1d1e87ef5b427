// Parses the Signature header. Invalid text throws SignatureRefused, never another error.

import { headerValue, type HeaderValues } from "./cavage.ts";
import { SignatureRefused } from "./refused.ts";
import { parseMessageSignature } from "./rfc9421.ts";

/** `rfc9421` signatures come with a Signature-Input header. */
export type ParsedSignature = {
  form: "cavage" | "rfc9421";
  keyId: string;
  /** Null when the key determines the algorithm. */
  algorithm: "rsa-sha256" | "hs2019" | "rsa-v1_5-sha256" | "ed25519" | null;
  /** Names in lower case, in the order of signing. */
  signedHeaders: string[];
  signature: Buffer;
  /** Unix seconds, or null where the header has none. */
  created: number | null;
  expires: number | null;
  /** RFC 9421: the parameters as they are signed. */
  parameters?: string;
};

const MAX_HEADER_LENGTH = 8192;
const MAX_KEY_ID_LENGTH = 2048;
const MAX_SIGNED_HEADERS = 32;
const PARAMETER = /\s*([a-z]{1,20})=(?:"([^"\\]*)"|(\d{1,15}))\s*(,|$)/iy;

/** Parses the signature of a request. Throws SignatureRefused when it is missing or unsupported. */
export const parseSignature = (headers: HeaderValues): ParsedSignature => {
  const header = headerValue(headers, "signature");
  if (header === undefined) throw new SignatureRefused("missing", "The request is not signed");
  if (headerValue(headers, "signature-input") !== undefined) {
    const parsed = parseMessage(headers);
    return { ...parsed, keyId: readKeyId(parsed.keyId) };
  }
  if (header.length > MAX_HEADER_LENGTH) throw malformed("The Signature header is too long");
  return parseCavage(header);
};

/** Parses a signature by RFC 9421, whose key may have any name. Throws SignatureRefused. */
export const parseMessage = (headers: HeaderValues): ParsedSignature => {
  const [input = "", header = ""] = ["signature-input", "signature"].map((name) =>
    headerValue(headers, name),
  );
  const { names, ...rest } = parseMessageSignature(input, header);
  return { form: "rfc9421", signedHeaders: names, ...rest };
};

const parseCavage = (header: string): ParsedSignature => {
  const parameters = readParameters(header);
  const signedHeaders = readNames(parameters.get("headers"));
  const algorithm = readAlgorithm(parameters.get("algorithm"));
  const created = readSeconds(parameters, "created");
  const expires = readSeconds(parameters, "expires");
  const dated = signedHeaders.includes("(created)") || signedHeaders.includes("(expires)");
  // draft-cavage-12, 2.3: together with an algorithm named rsa-… these must produce an error.
  if (dated && algorithm !== "hs2019") {
    throw new SignatureRefused("algorithm", "(created) and (expires) require hs2019");
  }
  return {
    form: "cavage",
    keyId: readKeyId(parameters.get("keyId")),
    algorithm,
    signedHeaders,
    signature: readSignature(parameters.get("signature")),
    created,
    expires,
  };
};

const readParameters = (header: string): Map<string, string> => {
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = 0;
  while (PARAMETER.lastIndex < header.length) {
    const at = PARAMETER.exec(header);
    const [, name = "", quoted, number, end] = at ?? [];
    if (!at || parameters.has(name)) throw malformed("The Signature header cannot be read");
    parameters.set(name, quoted ?? number ?? "");
    if (end === "," && PARAMETER.lastIndex === header.length) throw malformed("A comma too many");
  }
  return parameters;
};

/** Without a list only (created) is signed, which covers nothing that we need. */
const readNames = (text = ""): string[] => {
  const names = text.toLowerCase().split(" ").filter(Boolean);
  if (names.length === 0) throw new SignatureRefused("coverage", "No headers are signed");
  if (names.length > MAX_SIGNED_HEADERS || new Set(names).size !== names.length) {
    throw malformed("The list of signed headers cannot be used");
  }
  return names;
};

/** Without a name the algorithm follows from the key (draft-cavage-12, 2.1.3), which is hs2019. */
const readAlgorithm = (text = "hs2019"): "rsa-sha256" | "hs2019" => {
  const name = text.toLowerCase();
  if (name === "rsa-sha256" || name === "hs2019") return name;
  throw new SignatureRefused("algorithm", "Only rsa-sha256 and hs2019 are supported");
};

const readKeyId = (text = ""): string => {
  const url = text.length > MAX_KEY_ID_LENGTH ? null : URL.parse(text);
  if (url?.protocol === "https:" || url?.protocol === "http:") return text;
  throw malformed("keyId is not the address of a key");
};

const readSignature = (text = ""): Buffer => {
  if (!/^[a-z\d+/]+={0,2}$/i.test(text)) throw malformed("The signature is not base64");
  return Buffer.from(text, "base64");
};

const readSeconds = (parameters: Map<string, string>, name: string): number | null => {
  const text = parameters.get(name);
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw malformed(`${name} is not a time`);
  return Number(text);
};

const malformed = (message: string): SignatureRefused => new SignatureRefused("malformed", message);
