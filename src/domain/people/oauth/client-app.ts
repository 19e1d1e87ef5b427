// Manages the app that stands for our own web client: posts name it, and its tokens end with their session.

import type { App } from "../../../platform/app.ts";
import { insertFirstPartyApp, selectFirstPartyApp } from "./queries.ts";
import { newSecret, tokenHash } from "./secret.ts";
import { CLIENT_SCOPES } from "./scopes.ts";
import { issueToken } from "./tokens.ts";
import type { IssuedToken } from "./tokens.ts";

const ids = new WeakMap<App, Promise<string>>();

const makeApp = async ({ sql }: App): Promise<string> => {
  const known = await selectFirstPartyApp(sql);
  if (known) return known;
  const id = await insertFirstPartyApp(sql, {
    name: "Web",
    website: null,
    redirect_uris: [],
    scopes: CLIENT_SCOPES,
    client_id: newSecret(),
    // Nobody knows the secret, because the client never requests a token by OAuth.
    client_secret_hash: tokenHash(newSecret()),
  });
  return id ?? (await selectFirstPartyApp(sql))!;
};

/** Returns the id of the app, which is made when it is first needed and never changes. */
export const clientApp = (app: App): Promise<string> => {
  const known = ids.get(app) ?? makeApp(app);
  ids.set(app, known);
  known.catch(() => ids.delete(app));
  return known;
};

/** Seconds that a token is valid; the client keeps it in memory alone and requests the next in time. */
const SECONDS = 3600;

/** Issues a token of the web client, which ends with the session. */
export const issueClientToken = async (
  app: App,
  { userId, accessId, sessionId }: { userId: string; accessId: string | null; sessionId: string },
): Promise<IssuedToken & { seconds: number }> => {
  const issued = await issueToken(app.sql, {
    app_id: await clientApp(app),
    user_id: userId,
    access_id: accessId,
    scopes: CLIENT_SCOPES,
    session_id: sessionId,
    expires_at: new Date(app.clock.now().getTime() + SECONDS * 1000),
  });
  return { ...issued, seconds: SECONDS };
};
