// Finds the viewer of a bearer token, and records that people are active, which NodeInfo and instance/activity count.
// Credentials are cached: this process invalidates what it changes, the database notifies of every change by any
// process (tell_credentials), and no entry is trusted longer than the configured time (docs/design/caches.md).

import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { App } from "../../../platform/app.ts";
import { createBatcher } from "../../../platform/batcher.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { InMemory } from "../../../platform/caches/register.ts";
import { onInvalidateKinds } from "../../../platform/db/commits.ts";
import type { Credentials } from "../../../platform/http/credentials.ts";
import { standingOf } from "../../../platform/http/credentials.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { clientApp } from "./client-app.ts";
import { CLIENT_SCOPES } from "./scopes.ts";
import { selectCredentials, selectViewer, touchActive } from "./queries.ts";
import type { CredentialsRow, ViewerRow } from "./queries.ts";

/** Returns the key of a token: its hash, as base64. */
const tokenKey = (token: string): string => hash("sha256", token, "base64");

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
const cachedCredentials = (app: App, key: string): Credentials | undefined =>
  cacheFor(app)?.get(key);

/** `read` queries the database. */
const readCredentials = async (
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

const byWhom = (row: ViewerRow) =>
  row.by_user_id === null
    ? null
    : { userId: row.by_user_id, accountId: row.by_account_id!, kind: row.by_kind! };

/** Members of a shared account have none of the powers that it may have as staff. */
const permissionsOf = ({ permissions, by_kind: kind }: ViewerRow): bigint =>
  kind === null || kind === "identity" ? BigInt(permissions ?? 0) : 0n;

const viewerOf = (row: ViewerRow): Credentials["viewer"] =>
  row.user_id === null
    ? null
    : {
        userId: row.user_id,
        accountId: row.account_id!,
        person: asPerson(row.account_id!),
        username: row.username!,
        permissions: permissionsOf(row),
        locale: row.locale ?? "en",
        settings: row.settings ?? {},
        standing: standingOf(row),
        by: byWhom(row),
        isShared: row.is_shared,
      };

const credentialsOf = (row: CredentialsRow): Credentials => ({
  tokenId: row.token_id,
  sessionId: row.session_id,
  appId: row.app_id,
  scopes: row.scopes,
  revoked: row.revoked,
  expiresAt: row.expires_at,
  viewer: viewerOf(row),
});

/** Tokens that may wait to be looked up: more than the apps of a process that all connect again at once. */
const MAX_WAITING = 20_000;

/** Looks up waiting tokens with one statement: after a start all apps send theirs at the same time. */
const readingOf = perApp("tokens being looked up", (app) =>
  createBatcher<string, Credentials | null>({
    async run(keys) {
      const rows = await selectCredentials(app.sql, [...new Set(keys)]);
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => {
        const row = byKey.get(key);
        return row ? credentialsOf(row) : null;
      });
    },
    gatherMs: 0,
    maxBatch: 100,
    maxWaiting: MAX_WAITING,
  }),
);

/** Seconds between two writes for a person, exact enough for figures of 30 days. */
const TOUCH_SECONDS = 3600;

/** Milliseconds for which writes are gathered; nobody waits for them. */
const TOUCH_GATHER_MS = 50;

/** Batches the writes; a test waits until none is waiting. */
export const touchingOf = perApp("people being noted as active", (app) =>
  createBatcher<string, void>({
    async run(userIds) {
      await touchActive(app.sql, userIds, app.clock.now());
      return [];
    },
    gatherMs: TOUCH_GATHER_MS,
    maxBatch: 500,
    maxWaiting: MAX_WAITING,
  }),
);

const touch = async (app: App, userId: string): Promise<void> => {
  if (!(await app.kv.add(`active:${userId}`, "1", TOUCH_SECONDS))) return;
  await touchingOf(app).add(userId);
};

/** Credentials whose activity was recorded; cached credentials live a minute. */
const noted = new WeakSet<object>();

/** Records that the person is active; the request does not wait, and an error is only logged. */
const noteActive = (app: App, viewer: { userId: string }): void => {
  if (noted.has(viewer)) return;
  noted.add(viewer);
  const { userId } = viewer;
  touch(app, userId).catch((error: unknown) => {
    app.log.warn({ err: error }, "the last activity of a person was not noted");
  });
};

const withActivity = (app: App, credentials: Credentials | null): Credentials | null => {
  if (credentials?.expiresAt && credentials.expiresAt <= app.clock.now()) return null;
  if (credentials?.viewer?.standing === "active" && !credentials.revoked)
    noteActive(app, credentials.viewer);
  return credentials;
};

const look = async (app: App, key: string): Promise<Credentials | null> =>
  withActivity(app, await readCredentials(app, key, () => readingOf(app).add(key)));

type PageUser = { userId: string; accessId: string | null };

const readPageCredentials = async (
  app: App,
  { userId, accessId }: PageUser,
): Promise<Credentials | null> => {
  const row = await selectViewer(app.sql, userId, accessId);
  if (!row) return null;
  return {
    tokenId: "0",
    sessionId: null,
    appId: await clientApp(app),
    scopes: CLIENT_SCOPES,
    revoked: false,
    expiresAt: null,
    viewer: viewerOf(row),
  };
};

/**
 * Returns credentials for a page that acts for a signed-in person, equal to a token of the web client, and cached like
 * one; not those of an account that somebody else may use, whose end no one tells of. Returns null when the person was
 * deleted.
 */
export const pageCredentials = async (app: App, who: PageUser): Promise<Credentials | null> => {
  const read = () => readPageCredentials(app, who);
  if (who.accessId !== null) return withActivity(app, await read());
  // No token has such a key, which is no hash.
  const key = `page of ${who.userId}`;
  const known = cachedCredentials(app, key) ?? (await readCredentials(app, key, read));
  return withActivity(app, known);
};

/** Returns null for an unknown token. Cached credentials are returned without a promise. */
export const authenticate = (
  app: App,
  token: string,
): Credentials | null | Promise<Credentials | null> => {
  const key = tokenKey(token);
  const cached = cachedCredentials(app, key);
  return cached ? withActivity(app, cached) : look(app, key);
};

/** Returns a function of the token alone, for servers that know nothing else of the app. */
export const authenticator = (app: App) => (token: string) => authenticate(app, token);
