// Secrets that are made once: DATA_DIR/secrets/*, each file with mode 600.

import { createECDH, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../errors.ts";

export type Secrets = {
  /** Signs sessions and forms. */
  keyBase: string;
  /** Web Push (RFC 8292) P-256 key pair, base64url. */
  vapid: { publicKey: string; privateKey: string };
};

type Given = {
  secretKeyBase: string | null;
  vapidPublicKey: string | null;
  vapidPrivateKey: string | null;
};

/** Reads the file, or makes it; a rename makes the write whole even if the process dies in it. */
const keep = (folder: string, name: string, make: () => string): string => {
  const path = join(folder, name);
  try {
    if (existsSync(path)) return readFileSync(path, "utf8").trim();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const value = make();
    writeFileSync(`${path}.new`, `${value}\n`, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
    return value;
  } catch (error) {
    throw new ConfigError(
      `The secrets in ${folder} cannot be read or written (${(error as NodeJS.ErrnoException).code ?? error}): give this user the folder, or set DATA_DIR to one that it owns.`,
    );
  }
};

const makeVapid = (): string => {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys().toString("base64url");
  const privateKey = ecdh.getPrivateKey().toString("base64url");
  return JSON.stringify({ publicKey, privateKey });
};

export const loadSecrets = (dataDir: string, given: Given): Secrets => {
  const folder = join(dataDir, "secrets");
  if ((given.vapidPublicKey === null) !== (given.vapidPrivateKey === null)) {
    throw new ConfigError("Set both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or neither.");
  }
  const keyBase =
    given.secretKeyBase ?? keep(folder, "key-base", () => randomBytes(48).toString("base64url"));
  const vapid =
    given.vapidPublicKey && given.vapidPrivateKey
      ? { publicKey: given.vapidPublicKey, privateKey: given.vapidPrivateKey }
      : (JSON.parse(keep(folder, "vapid.json", makeVapid)) as Secrets["vapid"]);
  return { keyBase, vapid };
};
