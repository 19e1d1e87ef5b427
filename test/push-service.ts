// A push service and the app behind it, which receives messages and decrypts them.

import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Pushed = { path: string; headers: IncomingHttpHeaders; body: Buffer };

export type Receiver = {
  /** Keys as apps send them. */
  keys: { p256dh: string; auth: string };
  /** Decrypts the message, by the encoding that its headers name; throws when it was not made for this receiver. */
  read(pushed: Pushed): any;
};

export type PushService = {
  origin: string;
  received: Pushed[];
  answer: { status: number; headers: Record<string, string> };
  close(): Promise<void>;
};

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));

const open = (key: Buffer, nonce: Buffer, sealed: Buffer): Buffer => {
  const decipher = createDecipheriv("aes-128-gcm", key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
};

const parameter = (header: unknown, name: string): Buffer => {
  const [, value] = new RegExp(`(?:^|[;,]\\s*)${name}=([\\w-]+)`).exec(String(header)) ?? [];
  if (value === undefined) throw new Error(`no ${name} in ${String(header)}`);
  return Buffer.from(value, "base64url");
};

export const makeReceiver = (): Receiver => {
  const ecdh = createECDH("prime256v1");
  const own = ecdh.generateKeys();
  const auth = randomBytes(16);
  const standard = ({ body }: Pushed): Buffer => {
    const [salt, keyLength] = [body.subarray(0, 16), body[20]!];
    const sender = body.subarray(21, 21 + keyLength);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), own, sender]);
    const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
    const text = open(key, nonce, body.subarray(21 + keyLength));
    return text.subarray(0, text.lastIndexOf(2));
  };
  const draft = ({ headers, body }: Pushed): Buffer => {
    const salt = parameter(headers["encryption"], "salt");
    const sender = parameter(headers["crypto-key"], "dh");
    const length = Buffer.from([0, 65]);
    const context = Buffer.concat([Buffer.from("P-256\0"), length, own, length, sender]);
    const secret = derive(ecdh.computeSecret(sender), auth, "Content-Encoding: auth\0", 32);
    const info = (name: string) =>
      Buffer.concat([Buffer.from(`Content-Encoding: ${name}\0`), context]);
    const text = open(
      derive(secret, salt, info("aesgcm"), 16),
      derive(secret, salt, info("nonce"), 12),
      body,
    );
    return text.subarray(2 + text.readUInt16BE(0));
  };
  return {
    keys: { p256dh: own.toString("base64url"), auth: auth.toString("base64url") },
    read(pushed) {
      const isStandard = pushed.headers["content-encoding"] === "aes128gcm";
      return JSON.parse((isStandard ? standard : draft)(pushed).toString("utf8"));
    },
  };
};

/** Returns the claims of a VAPID token whose signature fits the key; throws otherwise. */
export const checkVapid = (token: string, publicKey: string): any => {
  const [head, claims, signature] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString("base64url"),
  );
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y! } });
  const signed = Buffer.from(`${head}.${claims}`);
  const fits = verify(
    "sha256",
    signed,
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature!, "base64url"),
  );
  if (!fits) throw new Error("the signature does not fit");
  return JSON.parse(Buffer.from(claims!, "base64url").toString("utf8"));
};

export const startPushService = async (): Promise<PushService> => {
  const received: Pushed[] = [];
  const answer: PushService["answer"] = { status: 201, headers: {} };
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    received.push({ path: request.url ?? "", headers: request.headers, body });
    response.writeHead(answer.status, answer.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
};
