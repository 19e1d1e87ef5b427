// Linked Data Signatures (RsaSignature2017) on whole activities, as Mastodon makes them: they stay valid when somebody
// else forwards the activity. A body can be written in many ways that have the same signature, so a proved activity is
// only read in the form in which we write it ourselves.

import { createHash, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { isRecord, textOf } from "../../platform/json/read.ts";
import type { Json } from "../../platform/json/read.ts";
import { AS_CONTEXT } from "../../domain/people/accounts/activitypub.ts";
import { ALL_NOTE_TERMS } from "../../domain/posts/statuses/activitypub-terms.ts";
import { canonical, compact, expand } from "./json-ld.ts";

const TYPE = "RsaSignature2017";
const OPTIONS_CONTEXT = "https://w3id.org/identity/v1";
const SECURITY_CONTEXT = "https://w3id.org/security/v1";
const OUR_CONTEXT = [AS_CONTEXT, ALL_NOTE_TERMS];

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

const withOptionsContext = (options: Json): Json => ({ ...options, "@context": OPTIONS_CONTEXT });

/** Returns what the key signs: the hashes of the signature's own statements and of those of the document. */
const signedText = (options: string, document: string): string => hash(options) + hash(document);

const withTerms = (activity: Json): Json => {
  const value = activity["@context"];
  const contexts: unknown[] = Array.isArray(value) ? value : [value ?? AS_CONTEXT];
  if (contexts.includes(SECURITY_CONTEXT)) return activity;
  const [first, ...rest] = contexts;
  return { ...activity, "@context": [first, SECURITY_CONTEXT, ...rest] };
};

type SignKey = { keyId: string; privateKey: KeyObject };

/** Returns the activity with a signature of its actor. */
export const signActivity = async (
  activity: Json,
  { keyId, privateKey }: SignKey,
  now: Date,
): Promise<Json> => {
  const document = withTerms(activity);
  const created = `${now.toISOString().slice(0, 19)}Z`;
  const options = { creator: keyId, created };
  const text = signedText(await canonical(withOptionsContext(options)), await canonical(document));
  const signatureValue = sign("sha256", Buffer.from(text), privateKey).toString("base64");
  return { ...document, signature: { type: TYPE, ...options, signatureValue } };
};

/** Returns what a signature says about itself; null without one of the supported kind. */
export const signatureOf = ({ signature }: Json): { keyId: string; created: string } | null => {
  if (!isRecord(signature) || signature["type"] !== TYPE) return null;
  const [keyId, created] = [textOf(signature["creator"]), textOf(signature["created"])];
  return keyId !== null && created !== null ? { keyId, created } : null;
};

const IRI = /^(?:[A-Za-z][A-Za-z0-9+.-]*|_):[^\s]*$/;
const LANGUAGE = /^[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*$/;

const isIri = (value: unknown): boolean => typeof value === "string" && IRI.test(value);
const areIris = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isIri) : isIri(value);

const VALUES: Record<string, (value: unknown) => boolean> = {
  "@value": (value) => !isRecord(value) && !Array.isArray(value),
  "@type": isIri,
  "@language": (value) => typeof value === "string" && LANGUAGE.test(value),
};

const isSignedValue = (item: Json): boolean =>
  Object.entries(item).every(([key, value]) => VALUES[key]?.(value) ?? false);

/** Whether no context names the member (AS_CONTEXT maps it to a blank node): it is neither signed nor read. */
const isUnnamed = (key: string): boolean => key.startsWith("_:");

/** `described` has the addresses of the nodes so far that have more than their address. */
type Tree = { described: Set<unknown> };

/** Whether a node is described only once: otherwise a part of it could hide where nobody looks. */
const isOnlyOnce = (item: Json, { described }: Tree): boolean => {
  const id = item["@id"];
  if (id === undefined || Object.keys(item).length === 1) return true;
  const isFirst = !described.has(id);
  described.add(id);
  return isFirst;
};

const isSignedMember = (key: string, value: unknown, tree: Tree): boolean => {
  if (key === "@id" || key === "@type") return areIris(value);
  if (key.startsWith("@") || !isIri(key)) return false;
  return Array.isArray(value) && value.every((item) => isSigned(item, tree));
};

/**
 * Whether all of an expanded item becomes statements, and so is signed. Relative addresses are left out of statements,
 * and other keywords allow the same statements to be written as another tree.
 */
const isSigned = (item: unknown, tree: Tree): boolean => {
  if (!isRecord(item)) return false;
  if ("@value" in item) return isSignedValue(item);
  if ("@list" in item) {
    const list = item["@list"];
    const isAlone = Object.keys(item).length === 1;
    return isAlone && Array.isArray(list) && list.every((item) => isSigned(item, tree));
  }
  if (!isOnlyOnce(item, tree)) return false;
  return Object.entries(item).every(([key, value]) => isSignedMember(key, value, tree));
};

const withoutUnnamed = (item: unknown): unknown => {
  if (Array.isArray(item)) return item.map(withoutUnnamed);
  if (!isRecord(item) || "@value" in item) return item;
  const named = Object.entries(item).filter(([key]) => !isUnnamed(key));
  return Object.fromEntries(named.map(([key, value]) => [key, withoutUnnamed(value)]));
};

/**
 * Returns the activity in our own form if the key made its signature; otherwise null. Never throws. Takes a millisecond
 * or two of CPU.
 */
export const provedActivity = async (activity: Json, key: KeyObject): Promise<Json | null> => {
  const { signature, ...document } = activity;
  if (!isRecord(signature)) return null;
  const { type: _type, id: _id, signatureValue, ...options } = signature;
  try {
    const expanded = await expand(document);
    if (expanded.length !== 1 || !isSigned(expanded[0], { described: new Set() })) return null;
    const text = signedText(
      await canonical(withOptionsContext(options), { isBounded: true }),
      await canonical(expanded, { isExpanded: true, isBounded: true }),
    );
    const value = Buffer.from(textOf(signatureValue) ?? "", "base64");
    if (!verify("sha256", Buffer.from(text), key, value)) return null;
    const { "@context": _context, ...written } = await compact(
      withoutUnnamed(expanded) as object,
      OUR_CONTEXT,
    );
    return written;
  } catch {
    return null;
  }
};
