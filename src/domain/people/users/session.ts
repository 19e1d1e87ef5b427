// Manages sessions of the pages (sign-in, consent): a random token in a cookie, its hash in the database. The API never
// reads them.

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { createBatcher } from "../../../platform/batcher.ts";
import { perApp } from "../../../platform/caches/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import { deleteConfirmationToken } from "./queries.ts";
import {
  deleteOtherSessions,
  deleteSessions,
  deleteSessionById,
  deleteSessionsOf,
  deleteSessionsOfAccess,
  deleteSessionsBefore,
  deleteSessionsIn,
  insertSession,
  selectSessions,
  selectSessionsOf,
  updateSessionUse,
} from "./queries-sessions.ts";
import type { SessionRow } from "./queries-sessions.ts";
import { revokeAllOfAccess, revokeAllOfSessions } from "../oauth/revoke.ts";
import { recordSession } from "../sso/sessions.ts";
import type { Began } from "../sso/sessions.ts";
import { requireIn } from "../sso/told.ts";
import { signedIn } from "./sign-in.ts";
import type { SignedIn } from "./sign-in.ts";

export type { SessionRow };

const DAY = 86_400_000;
/** Days without use after which a session expires. */
export const SESSION_DAYS = 90;
/** Milliseconds of precision of the last use. */
const USE_STEP = 5 * 60_000;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

const staleBefore = (app: App): Date => new Date(app.clock.now().getTime() - SESSION_DAYS * DAY);

/**
 * Starts a session; returns its token, of which only the hash is stored. `replaces` has tokens of sessions that end;
 * `accessId` is the access by which it is started without the password (identities/). Throws Forbidden for whom a
 * provider has put out.
 */
export const startSession = async (
  app: App,
  userId: string,
  from: {
    ip: string | null;
    userAgent: string | null;
    replaces?: readonly string[];
    accessId?: string | null;
    /** How a provider began it. */
    began?: Began | null;
  },
): Promise<string> => {
  const token = randomBytes(32).toString("base64url");
  const now = app.clock.now();
  await app.sql.begin(async (tx) => {
    await requireIn(tx, userId);
    if (from.replaces?.length)
      await revokeAllOfSessions(app, tx, await deleteSessions(tx, from.replaces.map(hashOf)));
    if (!from.accessId) await deleteConfirmationToken(tx, userId);
    const sessionId = await insertSession(tx, {
      token_hash: hashOf(token),
      user_id: userId,
      access_id: from.accessId ?? null,
      ip: from.ip,
      user_agent: from.userAgent?.slice(0, 500) ?? null,
      created_at: now,
      used_at: now,
    });
    if (from.began) await recordSession(app, tx, sessionId, from.began);
  });
  return token;
};

/** Tokens that may wait to be looked up; 100 are looked up together. */
const MAX_WAITING = 20_000;

/** Looks up cookies of many requests with one statement, since anybody can send cookies without a session. */
const lookingOf = perApp("sessions being looked up", (app) =>
  createBatcher({
    async run(tokens: string[]) {
      const hashes = tokens.map(hashOf);
      const rows = await selectSessionsOf(app.sql, hashes, staleBefore(app));
      const byHash = new Map(rows.map((row) => [row.token_hash.toString("hex"), row]));
      return hashes.map((hash) => byHash.get(hash.toString("hex")) ?? null);
    },
    gatherMs: 0,
    maxBatch: 100,
    maxWaiting: MAX_WAITING,
  }),
);

/** Returns the person of the session, or null. */
export const findSession = async (
  app: App,
  token: string,
): Promise<(SignedIn & { sessionId: string }) | null> => {
  const row = await lookingOf(app).add(token);
  if (!row) return null;
  const now = app.clock.now();
  if (now.getTime() - row.used_at.getTime() > USE_STEP) {
    await updateSessionUse(app.sql, hashOf(token), now);
  }
  return { ...signedIn(row), sessionId: row.session_id };
};

export type HeldSession = { token: string; who: SignedIn };

/** Returns the people of those tokens whose sessions have not ended, in the same order; does not count as a use. */
export const findSessions = async (app: App, tokens: readonly string[]): Promise<HeldSession[]> => {
  if (tokens.length === 0) return [];
  const rows = await selectSessionsOf(app.sql, tokens.map(hashOf), staleBefore(app));
  return tokens.flatMap((token) => {
    const row = rows.find(({ token_hash }) => token_hash.equals(hashOf(token)));
    return row ? [{ token, who: signedIn(row) }] : [];
  });
};

/** Deletes expired sessions, which contain the addresses and names of browsers. */
export const deleteStaleSessions: DeleteSlice = (app) =>
  app.sql.begin(async (tx) => {
    const { rows, isMore } = await deleteSessionsBefore(tx, staleBefore(app));
    await revokeAllOfSessions(app, tx, rows);
    return isMore;
  });

/** Ends sessions together with the tokens that they gave, in one transaction. */
const end = (
  app: App,
  deleteRows: (tx: Db) => PromiseLike<readonly { id: string }[]>,
): Promise<unknown> =>
  app.sql.begin(async (tx) => revokeAllOfSessions(app, tx, await deleteRows(tx)));

export const endSessions = async (app: App, tokens: readonly string[]): Promise<void> => {
  await end(app, (tx) => deleteSessions(tx, tokens.map(hashOf)));
};

/** Returns the person's sessions that have not expired; `token` is that of the current one. */
export const listSessions = (app: App, userId: string, token: string): Promise<SessionRow[]> =>
  selectSessions(app.sql, userId, staleBefore(app), hashOf(token));

export const endSessionById = async (app: App, userId: string, id: string): Promise<void> => {
  await end(app, (tx) => deleteSessionById(tx, userId, id));
};

/** Ends every session of a person except this one, in the transaction `tx`. */
export const endOtherSessions = async (
  app: App,
  tx: Db,
  userId: string,
  token: string,
): Promise<void> => {
  await revokeAllOfSessions(app, tx, await deleteOtherSessions(tx, userId, hashOf(token)));
};

/** Ends these sessions, in the transaction `tx`. */
export const endSessionsIn = async (app: App, tx: Db, ids: readonly string[]) =>
  revokeAllOfSessions(app, tx, await deleteSessionsIn(tx, ids));

/** Ends every session of a person, in the transaction `tx`: after a new password or a suspension. */
export const endSessionsOf = async (app: App, tx: Db, userId: string): Promise<void> => {
  await revokeAllOfSessions(app, tx, await deleteSessionsOf(tx, userId));
};

/**
 * Ends the sessions and tokens of those who may no longer use an account, in the transaction `tx`; call
 * `announceRevoked` after it.
 */
export const endAccess = async (app: App, tx: Db, accessIds: readonly string[]) => [
  ...(await revokeAllOfSessions(app, tx, await deleteSessionsOfAccess(tx, accessIds))),
  ...(await revokeAllOfAccess(app, tx, accessIds)),
];
