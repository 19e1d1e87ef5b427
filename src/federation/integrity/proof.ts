// Object integrity proofs (FEP-8b32): Ed25519 signatures over the canonical JSON of an activity (eddsa-jcs-2022), which
// stay valid when somebody else forwards it. The signature covers the document itself, so it is read as it came.
// https://w3id.org/fep/8b32, https://www.w3.org/TR/vc-di-eddsa/#eddsa-jcs-2022

import { createHash, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isRecord, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { fromMultibase, toMultibase } from "../../platform/text/multibase.ts";

const TYPE = "DataIntegrityProof";
const SUITE = "eddsa-jcs-2022";
const PURPOSE = "assertionMethod";
const CONTEXT = "https://w3id.org/security/data-integrity/v1";
const SIGNATURE_BYTES = 64;

/** Returns JSON with sorted members and without spaces (RFC 8785). */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
};

const hash = (value: unknown): Buffer => createHash("sha256").update(canonicalJson(value)).digest();

const signedBytes = (options: Json, document: Json): Buffer =>
  Buffer.concat([hash(options), hash(document)]);

type ProofKey = { keyId: string; privateKey: KeyObject };

const isNamed = ({ "@context": context }: Json): boolean => {
  const all: unknown[] = Array.isArray(context) ? context : [context];
  return all.some((context) => context === CONTEXT || (isRecord(context) && "proof" in context));
};

/**
 * Adds the context that names the proof, unless the document's own says that there is none (linked-data/signature.ts).
 */
const withContext = (document: Json): Json => {
  if (isNamed(document)) return document;
  const contexts = document["@context"];
  const [first, ...rest]: unknown[] = Array.isArray(contexts) ? contexts : [contexts];
  return { ...document, "@context": [first, CONTEXT, ...rest] };
};

export const addProof = (activity: Json, { keyId, privateKey }: ProofKey, now: Date): Json => {
  const document = withContext(activity);
  const options = {
    type: TYPE,
    cryptosuite: SUITE,
    verificationMethod: keyId,
    proofPurpose: PURPOSE,
    created: `${now.toISOString().slice(0, 19)}Z`,
  };
  const bytes = signedBytes({ "@context": document["@context"], ...options }, document);
  const proof = { ...options, proofValue: toMultibase(sign(null, bytes, privateKey)) };
  return { ...document, proof };
};

/** Returns what a proof says about itself; null without one of the supported kind. */
export const proofOf = ({ proof }: Json): { keyId: string; created: string } | null => {
  if (!isRecord(proof) || proof["type"] !== TYPE || proof["cryptosuite"] !== SUITE) return null;
  if (proof["proofPurpose"] !== PURPOSE) return null;
  const [keyId, created] = [textOf(proof["verificationMethod"]), textOf(proof["created"])];
  return keyId !== null && created !== null ? { keyId, created } : null;
};

/** Whether the key made the proof. Its options are signed with the context of the document; another one is refused. */
export const isVerified = ({ proof, ...document }: Json, key: KeyObject): boolean => {
  if (!isRecord(proof) || key.asymmetricKeyType !== "ed25519") return false;
  const { proofValue, "@context": own, ...options } = proof;
  const context = document["@context"];
  if (own !== undefined && canonicalJson(own) !== canonicalJson(context)) return false;
  const value = fromMultibase(textOf(proofValue) ?? "");
  if (value?.length !== SIGNATURE_BYTES) return false;
  const signed = { "@context": context, ...options };
  if (verify(null, signedBytes(signed, document), key, value)) return true;
  // Some servers add the proof first, and then a Linked Data Signature of both.
  const { signature, ...rest } = document;
  return signature !== undefined && verify(null, signedBytes(signed, rest), key, value);
};
