// The server's secrets, generated once and stored in DATA_DIR/secrets/*, each file with mode 600.

import { createECDH, createHmac, randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";

export type Secrets = {
  /** Key that signs sessions and forms. */
  keyBase: string;
  /** P-256 key pair for Web Push (RFC 8292), as base64url. */
  vapid: { publicKey: string; privateKey: string };
};

/** Returns the key that signs addresses of files that only moderators are shown. */
export const staffKeyOf = ({ keyBase }: Secrets): string =>
  createHmac("sha256", keyBase).update("files for the staff").digest("base64url");

type SecretSettings = {
  secretKeyBase: string | null;
  vapidPublicKey: string | null;
  vapidPrivateKey: string | null;
};

/** Writes a secret and renames the file into place, so that a crash never leaves privateBytes a secret. */
const writeSecret = (folder: string, name: string, value: string): void => {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, `${value}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
};

/** Writes a secret, but never replaces one that another process has just made. Returns the one that is stored then. */
const createSecret = (folder: string, name: string, value: string): string => {
  const [path, fresh] = [join(folder, name), join(folder, `${name}.new.${process.pid}`)];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(fresh, `${value}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(fresh, path);
  } catch (error) {
    // Some file systems have no hard links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
  return readFileSync(path, "utf8").trim();
};

/** Reads the file, or creates it. */
const readOrCreate = (folder: string, name: string, make: () => string): string => {
  const path = join(folder, name);
  try {
    if (existsSync(path)) return readFileSync(path, "utf8").trim();
    return createSecret(folder, name, make());
  } catch (error) {
    throw new ConfigError(
      `The secrets in ${folder} cannot be read or written (${(error as NodeJS.ErrnoException).code ?? error}): make the folder writable for this user, or set DATA_DIR to another folder.`,
    );
  }
};

const VAPID_PRIVATE_BYTES = 32;

/** Makes a new key pair. Node drops leading zeros of the private key, which Web Push libraries refuse. */
export const makeVapid = (): Secrets["vapid"] => {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys().toString("base64url");
  const privateBytes = ecdh.getPrivateKey();
  const padded = Buffer.concat([
    Buffer.alloc(VAPID_PRIVATE_BYTES - privateBytes.length),
    privateBytes,
  ]);
  return { publicKey, privateKey: padded.toString("base64url") };
};

/** Whether the two keys are one pair on P-256; base64url padding is allowed. */
const isVapidPair = ({ publicKey, privateKey }: Secrets["vapid"]): boolean => {
  const ecdh = createECDH("prime256v1");
  const privateBytes = Buffer.from(privateKey, "base64url");
  if (privateBytes.length !== VAPID_PRIVATE_BYTES) return false;
  try {
    ecdh.setPrivateKey(privateBytes);
    return ecdh.getPublicKey().equals(Buffer.from(publicKey, "base64url"));
  } catch {
    return false;
  }
};

const unpadded = (key: string): string => key.replace(/=+$/, "");

const givenVapid = ({
  vapidPublicKey,
  vapidPrivateKey,
}: SecretSettings): Secrets["vapid"] | null => {
  if (vapidPublicKey === null && vapidPrivateKey === null) return null;
  if (vapidPublicKey === null || vapidPrivateKey === null) {
    throw new ConfigError("Set both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or neither.");
  }
  const pair = { publicKey: vapidPublicKey, privateKey: vapidPrivateKey };
  if (isVapidPair(pair)) return pair;
  throw new ConfigError(
    "VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a P-256 key pair in base64url: correct them, or remove both to have a pair generated.",
  );
};

const damaged = (folder: string, name: string): ConfigError =>
  new ConfigError(
    `The secret in ${join(folder, name)} is damaged: restore it from a backup, or delete it to have a new one generated.`,
  );

const storedVapid = (folder: string): Secrets["vapid"] => {
  const text = readOrCreate(folder, "vapid.json", () => JSON.stringify(makeVapid()));
  try {
    const pair = JSON.parse(text) as Secrets["vapid"];
    if (isVapidPair(pair)) return pair;
  } catch {
    // A file that is no JSON is damaged, too.
  }
  throw damaged(folder, "vapid.json");
};

const storedKeyBase = (folder: string): string => {
  const value = readOrCreate(folder, "key-base", () => randomBytes(48).toString("base64url"));
  if (value === "") throw damaged(folder, "key-base");
  return value;
};

export const loadSecrets = (dataDir: string, settings: SecretSettings): Secrets => {
  const folder = join(dataDir, "secrets");
  const vapid = givenVapid(settings) ?? storedVapid(folder);
  return { keyBase: settings.secretKeyBase ?? storedKeyBase(folder), vapid };
};

/** Returns existing secrets, or null if there are none; commands create none. */
export const findSecrets = (dataDir: string, settings: SecretSettings): Secrets | null => {
  const folder = join(dataDir, "secrets");
  const isThere = (name: string) => existsSync(join(folder, name));
  const hasKeyBase = settings.secretKeyBase !== null || isThere("key-base");
  const hasVapid = settings.vapidPublicKey !== null || isThere("vapid.json");
  return hasKeyBase && hasVapid ? loadSecrets(dataDir, settings) : null;
};

/**
 * Takes over the push keys of an imported server, to which apps have subscribed. Throws ConfigError where there are
 * others already.
 */
export const adoptVapid = (
  dataDir: string,
  settings: SecretSettings,
  vapid: Secrets["vapid"],
): void => {
  const folder = join(dataDir, "secrets");
  if (!isVapidPair(vapid)) {
    throw new ConfigError(
      "The VAPID keys of the other server are not a P-256 key pair in base64url.",
    );
  }
  const known =
    givenVapid(settings) ?? (existsSync(join(folder, "vapid.json")) && storedVapid(folder));
  if (!known) return writeSecret(folder, "vapid.json", JSON.stringify(vapid));
  if (unpadded(known.publicKey) === unpadded(vapid.publicKey)) return;
  throw new ConfigError(
    `This server has other keys for push than the one that moves in: remove ${join(folder, "vapid.json")}, or VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY where they are set.`,
  );
};

/** Writes the secrets of a backup. */
export const writeSecrets = (dataDir: string, { keyBase, vapid }: Secrets): void => {
  const folder = join(dataDir, "secrets");
  writeSecret(folder, "key-base", keyBase);
  writeSecret(folder, "vapid.json", JSON.stringify(vapid));
};
