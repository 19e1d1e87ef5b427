// Encodes multibase with base58btc, and public Ed25519 keys as Multikey: `z` and the base58 of the bytes ed 01 and the
// key. https://www.w3.org/TR/cid-1.0/#multibase-0, https://www.w3.org/TR/cid-1.0/#Multikey

import { createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const PREFIX = Buffer.from([0xed, 0x01]);
const KEY_BYTES = 32;
/** Characters that are read; a signature of 64 bytes has 88. */
const MAX_LENGTH = 100;
/** Bytes before the key in the DER form of SubjectPublicKeyInfo (RFC 8410). */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export const toMultibase = (bytes: Uint8Array): string => {
  let number = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `z${"1".repeat(zeros < 0 ? bytes.length : zeros)}${text}`;
};

/** Decodes base58btc; null for anything else, or a text that is too long. */
export const fromMultibase = (text: string): Buffer | null => {
  if (text.length > MAX_LENGTH || !text.startsWith("z")) return null;
  const [, zeros = "", rest = ""] = /^(1*)(.*)$/s.exec(text.slice(1)) ?? [];
  let number = 0n;
  for (const char of rest) {
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) return null;
    number = number * 58n + BigInt(digit);
  }
  const hex = number === 0n ? "" : number.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([Buffer.alloc(zeros.length), bytes]);
};

/** Returns the public Multikey of a private Ed25519 key. */
export const toMultikey = (privateKey: KeyObject): string => {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return toMultibase(Buffer.concat([PREFIX, spki.subarray(SPKI.length)]));
};

/** Returns the key of a Multikey; null for keys of other kinds. */
export const fromMultikey = (text: string): KeyObject | null => {
  const bytes = fromMultibase(text);
  if (bytes?.length !== PREFIX.length + KEY_BYTES || !bytes.subarray(0, 2).equals(PREFIX))
    return null;
  const key = Buffer.concat([SPKI, bytes.subarray(PREFIX.length)]);
  return createPublicKey({ key, format: "der", type: "spki" });
};
