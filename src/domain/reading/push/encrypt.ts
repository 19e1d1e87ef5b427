// Encrypts messages for one subscription: aes128gcm (RFC 8188, 8291), and aesgcm, the draft that older apps understand
// (draft-ietf-webpush-encryption-04, draft-ietf-httpbis-encryption-encoding-03).

import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The app's public key (65 bytes, uncompressed) and its secret (16 bytes). */
export type Receiver = { p256dh: Buffer; auth: Buffer };

/** Salt and key that are made anew for each message; only tests pass them. */
export type Fresh = { salt: Buffer; privateKey: Buffer };

type Encrypted = { body: Buffer; headers: Record<string, string> };

const CURVE = "prime256v1";
const RECORD_BYTES = 4096;
/** Delimiter at the end of the last record (RFC 8188, 2). */
const LAST = Buffer.from([2]);

const makeFresh = (): Fresh => {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  return { salt: randomBytes(16), privateKey: ecdh.getPrivateKey() };
};

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

const cipherText = (key: Buffer, nonce: Buffer, text: Buffer): Buffer => {
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
};

/** Returns the secret that both sides can compute, and the public key of this message. */
const agree = ({ p256dh }: Receiver, privateKey: Buffer) => {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(privateKey);
  return { shared: ecdh.computeSecret(p256dh), publicKey: ecdh.getPublicKey() };
};

/** Returns whether the key is a point on the curve: anything else would throw at each message. */
export const isPublicKey = (key: Buffer): boolean => {
  if (key.length !== 65 || key[0] !== 4) return false;
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(key);
    return true;
  } catch {
    return false;
  }
};

const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

export const encryptStandard = (
  message: Buffer,
  receiver: Receiver,
  { salt, privateKey } = makeFresh(),
): Encrypted => {
  const { shared, publicKey } = agree(receiver, privateKey);
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.p256dh, publicKey]);
  const secret = derive(shared, receiver.auth, keyInfo, 32);
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
  const head = [salt, uint(RECORD_BYTES, 4), uint(publicKey.length, 1), publicKey];
  const record = cipherText(key, nonce, Buffer.concat([message, LAST]));
  return {
    body: Buffer.concat([...head, record]),
    headers: { "content-encoding": "aes128gcm" },
  };
};

export const encryptDraft = (
  message: Buffer,
  receiver: Receiver,
  { salt, privateKey } = makeFresh(),
): Encrypted => {
  const { shared, publicKey } = agree(receiver, privateKey);
  const secret = derive(shared, receiver.auth, "Content-Encoding: auth\0", 32);
  const context = Buffer.concat([
    Buffer.from("P-256\0"),
    uint(receiver.p256dh.length, 2),
    receiver.p256dh,
    uint(publicKey.length, 2),
    publicKey,
  ]);
  const info = (name: string) =>
    Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context]);
  const key = derive(secret, salt, info("aesgcm"), 16);
  const nonce = derive(secret, salt, info("nonce"), 12);
  const padding = uint(0, 2);
  return {
    body: cipherText(key, nonce, Buffer.concat([padding, message])),
    headers: {
      "content-encoding": "aesgcm",
      encryption: `salt=${salt.toString("base64url")}`,
      "crypto-key": `dh=${publicKey.toString("base64url")}`,
    },
  };
};
