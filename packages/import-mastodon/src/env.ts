// Reads the env file of the other server: its name, its keys for push, and those by which it encrypted columns.
// https://docs.joinmastodon.org/admin/config/

import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { ConfigError, reasonOf } from "./uses.ts";
import type { S3Options } from "./uses.ts";

export type OldEnv = {
  /** Returns how to reach its bucket of this name, and the folder in it; null if it has none of this name. */
  bucketNamed(name: string): (S3Options & { folder: string }) | null;
  localDomain: string;
  webDomain: string;
  /** The issuers of the providers that people signed in by, as they are named there; null where there was none. */
  issuers: Record<string, string | null>;
  vapid: { publicKey: string; privateKey: string } | null;
  /** Returns the text of an encrypted column; null if these keys cannot decrypt it. */
  decrypt(stored: string): string | null;
};

const LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s#]*))/;

const parse = (text: string): Map<string, string> =>
  new Map(
    text.split("\n").flatMap((line): [string, string][] => {
      const [, name, ...values] = LINE.exec(line) ?? [];
      return name ? [[name, values.find((value) => value !== undefined) ?? ""]] : [];
    }),
  );

const KEY_BYTES = 32;
/**
 * PBKDF2 iterations of keys that are derived from a text: https://guides.rubyonrails.org/active_record_encryption.html
 */
const ITERATIONS = 65_536;

type Message = { p: string; h: { iv: string; at: string; c?: boolean } };

const decrypter = (primaryKey: string | undefined, salt: string | undefined) => {
  if (!primaryKey || !salt) return () => null;
  const key = pbkdf2Sync(primaryKey, salt, ITERATIONS, KEY_BYTES, "sha256");
  return (stored: string): string | null => {
    try {
      const { p, h } = JSON.parse(stored) as Message;
      const iv = Buffer.from(h.iv, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 });
      decipher.setAuthTag(Buffer.from(h.at, "base64"));
      const text = Buffer.concat([decipher.update(Buffer.from(p, "base64")), decipher.final()]);
      return (h.c ? inflateSync(text) : text).toString("utf8");
    } catch {
      return null;
    }
  };
};

/** Reads the settings of a bucket: https://docs.joinmastodon.org/admin/config/#s3 */
const bucketOf = (values: Map<string, string>, bucket: string) => {
  if (values.get("S3_BUCKET") !== bucket) return null;
  const [id, secret] = [values.get("AWS_ACCESS_KEY_ID"), values.get("AWS_SECRET_ACCESS_KEY")];
  const endpoint = values.get("S3_ENDPOINT")?.replace(/\/+$/, "") || null;
  return {
    bucket,
    region: values.get("S3_REGION") || "us-east-1",
    endpoint,
    pathStyle: endpoint !== null && values.get("S3_OVERRIDE_PATH_STYLE") !== "true",
    credentials: id && secret ? { accessKeyId: id, secretAccessKey: secret } : null,
    folder: (values.get("S3_KEY_PREFIX") ?? "").replace(/^\/+|\/+$/g, ""),
  };
};

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`The env file ${path} cannot be read: ${reasonOf(error)}.`);
  }
};

const unpadded = (key: string): string => key.replace(/=+$/, "");

export const readOldEnv = (path: string): OldEnv => {
  const values = parse(read(path));
  const localDomain = values.get("LOCAL_DOMAIN")?.toLowerCase();
  if (!localDomain) throw new ConfigError(`The env file ${path} has no LOCAL_DOMAIN.`);
  const [publicKey, privateKey] = [values.get("VAPID_PUBLIC_KEY"), values.get("VAPID_PRIVATE_KEY")];
  return {
    localDomain,
    webDomain: values.get("WEB_DOMAIN")?.toLowerCase() || localDomain,
    issuers: {
      openid_connect: values.get("OIDC_ISSUER") || null,
      saml: values.get("SAML_IDP_ENTITY_ID") || null,
    },
    vapid:
      publicKey && privateKey
        ? { publicKey: unpadded(publicKey), privateKey: unpadded(privateKey) }
        : null,
    bucketNamed: (name) => bucketOf(values, name),
    decrypt: decrypter(
      values.get("ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY"),
      values.get("ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT"),
    ),
  };
};
