// Finds the viewer of a bearer token, and records that people are active, which NodeInfo and instance/activity count.

import type { App } from "../../../platform/app.ts";
import { createBatcher } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { Credentials } from "../../../platform/http/credentials.ts";
import { clientApp } from "./client-app.ts";
import { CLIENT_SCOPES } from "./scopes.ts";
import { cachedCredentials, readCredentials, tokenKey } from "./credential-cache.ts";
import { selectCredentials, selectViewer, touchActive } from "./queries.ts";
import type { CredentialsRow, ViewerRow } from "./queries.ts";

const standing = (row: ViewerRow) => {
  if (row.suspended) return "suspended" as const;
  if (!row.confirmed) return "unconfirmed" as const;
  if (!row.approved) return "unapproved" as const;
  if (row.disabled) return "disabled" as const;
  return row.moved ? ("moved" as const) : ("active" as const);
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
        username: row.username!,
        permissions: permissionsOf(row),
        locale: row.locale ?? "en",
        settings: row.settings ?? {},
        standing: standing(row),
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

/** Credentials whose activity was recorded; cached credentials live a minute (credential-cache.ts). */
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

/**
 * Returns credentials for a page that acts for a signed-in person, equal to a token of the web client. Returns null
 * when the person was deleted.
 */
export const pageCredentials = async (
  app: App,
  { userId, accessId }: { userId: string; accessId: string | null },
): Promise<Credentials | null> => {
  const row = await selectViewer(app.sql, userId, accessId);
  if (!row) return null;
  return withActivity(app, {
    tokenId: "0",
    sessionId: null,
    appId: await clientApp(app),
    scopes: CLIENT_SCOPES,
    revoked: false,
    expiresAt: null,
    viewer: viewerOf(row),
  });
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
