// Refuses to start a process whose secrets differ from those of running processes: they would not accept each other's
// sessions, forms and push keys. A hash of the secrets is in Valkey, and expires a minute after the last process.

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Secrets } from "../config/secrets.ts";
import { ConfigError } from "../errors.ts";
import type { Connection } from "./connection.ts";

const LIFE_SECONDS = 60;
const RENEW_MS = 20_000;
/** Milliseconds that a start waits for Valkey; after that it goes on without. */
const PATIENCE_MS = 2000;

const markOf = ({ keyBase, vapid }: Secrets): string =>
  createHash("sha256").update(`same secrets ${keyBase} ${vapid.publicKey}`).digest("base64url");

/** Throws ConfigError where others run with other secrets; the result ends the check. */
export const holdSecrets = async (
  connection: Connection,
  secrets: Secrets,
): Promise<() => void> => {
  const { redis, prefix } = connection;
  const [key, mark] = [`${prefix}secrets`, markOf(secrets)];
  /** Returns the mark of the processes that run. One command sets it, as processes often start at the same time. */
  const hold = async (): Promise<string> => {
    const present = await redis.set(key, mark, "EX", LIFE_SECONDS, "NX", "GET");
    if (present === mark) await redis.expire(key, LIFE_SECONDS);
    return present ?? mark;
  };
  const holdIfUp = (): Promise<string> => hold().catch(() => mark);
  for (let ms = 0; ms < PATIENCE_MS && !connection.isUp(); ms += 20) await sleep(20);
  if ((await holdIfUp()) !== mark) {
    throw new ConfigError(
      "The secrets of this process differ from those of the ones that run: give all of them the same SECRET_KEY_BASE, VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or the same DATA_DIR.",
    );
  }
  const timer = setInterval(() => void holdIfUp(), RENEW_MS).unref();
  return () => clearInterval(timer);
};
