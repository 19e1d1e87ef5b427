// The request of an app to act for a person (RFC 6749, 4.1), and the code that answers it.

import type { App } from "../../platform/app.ts";
import { findClient } from "./apps.ts";
import { OAuthError } from "./errors.ts";
import { deleteOldCodes, insertCode, selectCodeIsOf } from "./queries.ts";
import { grantScopes } from "./scopes.ts";
import { newSecret, tokenHash } from "./secret.ts";
import type { OAuthApp } from "./tables.ts";

const CODE_SECONDS = 600;
/** Used codes are remembered for a while: a second use revokes what the first one gave. */
const REMEMBERED_SECONDS = 86_400;

export type Authorization = {
  app: OAuthApp;
  redirectUri: string;
  scopes: string[];
  state: string | null;
  /** PKCE (RFC 7636), S256. */
  codeChallenge: string | null;
};

type Texts = Partial<Record<string, string>>;

/** RFC 7636: without a method `plain` is meant, and that is not accepted. */
const readChallenge = (given: Texts): string | null => {
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (!challenge && !method) return null;
  if (method !== "S256") {
    throw new OAuthError("invalid_request", "The code_challenge_method must be S256.");
  }
  if (!challenge || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError("invalid_request", "The code_challenge is not one of S256.");
  }
  return challenge;
};

/**
 * Checks a request. All faults are shown to the person and none leads to the redirect URI: a
 * stranger's app must not be able to send people anywhere without being asked (RFC 9700, 4.11.2).
 */
export const readAuthorization = async (app: App, given: Texts): Promise<Authorization> => {
  const client = given["client_id"] ? await findClient(app, given["client_id"]) : null;
  if (!client) throw new OAuthError("invalid_client", "This app is not known here.");
  const redirectUri = given["redirect_uri"];
  if (!redirectUri || !client.redirect_uris.includes(redirectUri)) {
    throw new OAuthError("invalid_request", "The redirect URI is not one that the app registered.");
  }
  if (given["response_type"] !== "code") throw new OAuthError("unsupported_response_type");
  const scopes = grantScopes(client.scopes, given["scope"] ?? "");
  if (!scopes) throw new OAuthError("invalid_scope");
  const codeChallenge = readChallenge(given);
  return { app: client, redirectUri, scopes, state: given["state"] ?? null, codeChallenge };
};

/** Gives a code for what the person agreed to: 10 minutes, one use. */
export const grantCode = async (
  app: App,
  wanted: Authorization,
  userId: string,
): Promise<string> => {
  const code = newSecret();
  const now = app.clock.now().getTime();
  await deleteOldCodes(app.sql, userId, new Date(now - REMEMBERED_SECONDS * 1000));
  await insertCode(app.sql, {
    code_hash: tokenHash(code),
    app_id: wanted.app.id,
    user_id: userId,
    redirect_uri: wanted.redirectUri,
    scopes: wanted.scopes,
    code_challenge: wanted.codeChallenge,
    expires_at: new Date(now + CODE_SECONDS * 1000),
  });
  return code;
};

/** Whether a code was given to this person: no other is shown on our page. */
export const isCodeOf = (app: App, code: string, userId: string): Promise<boolean> =>
  selectCodeIsOf(app.sql, tokenHash(code), userId);
