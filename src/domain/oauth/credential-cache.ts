// Cached credentials of tokens. The database notifies of every change (migrations/0007), revoking tokens
// invalidates this process's cache before it answers, and entries live no longer than the configured
// time (docs/decisions/0004-credential-cache.md).

import { LRUCache } from "lru-cache";
import type { App } from "../../platform/app.ts";
import { onInvalidate } from "../../platform/db/invalidate.ts";
import type { Credentials } from "../../platform/http/auth.ts";

type Cache = {
  kept: LRUCache<string, Credentials>;
  /** Counts invalidations, so that a read that one overtook is not cached. */
  changes: number;
  /** Credentials are cached only while the notifications of the database arrive. */
  listening: boolean;
};

const MAX_TOKENS = 50_000;
const CHANNEL = "credentials";

const caches = new WeakMap<App, Cache>();

/** `token:ID`, `user:ID`, `account:ID`; a change of a role may concern every entry. */
const concerns = (message: string, { tokenId, viewer }: Credentials): boolean => {
  const [kind, id] = message.split(":", 2);
  if (kind === "token") return tokenId === id;
  if (kind === "user") return viewer?.userId === id;
  if (kind === "account") return viewer?.accountId === id;
  return true;
};

const forget = (cache: Cache, message: string): void => {
  cache.changes += 1;
  for (const [key, credentials] of cache.kept.entries()) {
    if (concerns(message, credentials)) cache.kept.delete(key);
  }
};

const listen = async (app: App, cache: Cache): Promise<void> => {
  await app.sql.listen(
    CHANNEL,
    (message) => forget(cache, message),
    () => {
      // Connected, perhaps again: notifications in between were missed.
      cache.changes += 1;
      cache.kept.clear();
      cache.listening = true;
    },
  );
};

const cacheOf = (app: App): Cache | null => {
  const ttl = app.config.caches.credentialSeconds * 1000;
  if (ttl === 0) return null;
  const present = caches.get(app);
  if (present) return present;
  const made: Cache = {
    kept: new LRUCache({ max: MAX_TOKENS, ttl }),
    changes: 0,
    listening: false,
  };
  caches.set(app, made);
  // This process's own changes, before the request that made them is answered.
  onInvalidate(app.sql, (keys) => {
    for (const key of keys) if (key.startsWith("user:")) forget(made, key);
  });
  listen(app, made).catch((error: unknown) => {
    app.log.warn({ err: error }, "tokens are not kept: the database cannot tell of changes");
  });
  return made;
};

/** The cached credentials for the hash of a token. */
export const credentialsAtHand = (app: App, key: string): Credentials | undefined =>
  cacheOf(app)?.kept.get(key);

/** `key` is the token's hash; `read` queries the database. */
export const throughCredentialCache = async (
  app: App,
  key: string,
  read: () => Promise<Credentials | null>,
): Promise<Credentials | null> => {
  const cache = cacheOf(app);
  const kept = cache?.kept.get(key);
  if (kept) return kept;
  const changes = cache?.changes;
  const found = await read();
  if (cache?.listening && found && cache.changes === changes) cache.kept.set(key, found);
  return found;
};

/** Revoked tokens; the database's notification comes a moment later. */
export const forgetTokens = (app: App, tokenIds: string[]): void => {
  const cache = caches.get(app);
  if (cache) for (const id of tokenIds) forget(cache, `token:${id}`);
};
