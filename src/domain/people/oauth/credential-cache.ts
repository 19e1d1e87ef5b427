// Caches the credentials of tokens. This process invalidates what it changes, the database notifies of every change by
// any process (tell_credentials), and no entry is trusted longer than the configured time (docs/design/caches.md).

import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { App } from "../../../platform/app.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { InMemory } from "../../../platform/caches/register.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { onInvalidateKinds } from "../../../platform/db/commits.ts";
import type { Credentials } from "../../../platform/http/credentials.ts";

/** Returns the key of a token: its hash, as base64. */
export const tokenKey = (token: string): string => hash("sha256", token, "base64");

const CHANNEL = "credentials";
const MAX_SECONDS = 60;
/** Estimated bytes that the map needs for an entry. */
const ENTRY_BYTES = 200;

/** Handles `token:ID`, `user:ID`, `account:ID`; a change of a role may concern every entry. */
const concerns = (message: string, { tokenId, viewer }: Credentials): boolean => {
  const [kind, id] = message.split(":", 2);
  if (kind === "token") return tokenId === id;
  if (kind === "user") return viewer?.userId === id || viewer?.by?.userId === id;
  if (kind === "account") return viewer?.accountId === id || viewer?.by?.accountId === id;
  return true;
};

class CredentialCache implements InMemory {
  hits = 0;
  misses = 0;
  /** Number of invalidations: a look-up during which one arrived is not cached. */
  changes = 0;
  /** Caches only while the database can notify this process. */
  isListening = false;
  #byHash: LRUCache<string, Credentials>;

  constructor(maxBytes: number, seconds: number) {
    const sizeCalculation = (credentials: Credentials, key: string) =>
      ENTRY_BYTES + key.length + sizeOf(credentials);
    const ttl = Math.min(seconds, MAX_SECONDS) * 1000;
    this.#byHash = new LRUCache({ maxSize: maxBytes, sizeCalculation, ttl });
  }

  get(key: string): Credentials | undefined {
    const credentials = this.#byHash.get(key);
    if (credentials) this.hits += 1;
    else this.misses += 1;
    return credentials;
  }

  set(key: string, credentials: Credentials): void {
    this.#byHash.set(key, credentials);
  }

  invalidate(message: string): void {
    this.changes += 1;
    for (const [key, credentials] of this.#byHash.entries()) {
      if (concerns(message, credentials)) this.#byHash.delete(key);
    }
  }

  clear(): void {
    this.changes += 1;
    this.#byHash.clear();
  }

  entries(): number {
    return this.#byHash.size;
  }

  bytes(): number {
    return this.#byHash.calculatedSize;
  }
}

const listen = async (app: App, cache: CredentialCache): Promise<void> => {
  await app.sql.listen(
    CHANNEL,
    (message) => cache.invalidate(message),
    () => {
      // After a reconnection, notifications sent meanwhile are lost.
      cache.clear();
      cache.isListening = true;
    },
  );
};

const cacheOf = perApp("credentials", (app) => {
  const { credentialSeconds } = app.config.caches;
  const cache = new CredentialCache(app.caches.budget("credentials"), credentialSeconds);
  // Changes of accounts are left out: they come with each post, and the database notifies of those that matter here.
  onInvalidateKinds(app.sql, ["user", "token"], (_id, key) => cache.invalidate(key));
  listen(app, cache).catch((error: unknown) => {
    app.log.warn({ err: error }, "tokens are not cached: the database cannot tell of changes");
  });
  return cache;
});

const cacheFor = (app: App): CredentialCache | null =>
  app.config.caches.credentialSeconds === 0 ? null : cacheOf(app);

/** Returns the cached credentials of a token. */
export const cachedCredentials = (app: App, key: string): Credentials | undefined =>
  cacheFor(app)?.get(key);

/** `read` queries the database. */
export const readCredentials = async (
  app: App,
  key: string,
  read: () => Promise<Credentials | null>,
): Promise<Credentials | null> => {
  const cache = cacheFor(app);
  const changes = cache?.changes;
  const credentials = await read();
  if (cache?.isListening && credentials && cache.changes === changes) cache.set(key, credentials);
  return credentials;
};
