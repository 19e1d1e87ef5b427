// Reads the authorization request of an app (RFC 6749, 4.1), and issues the code that answers it.

import type { App } from "../../../platform/app.ts";
import { says } from "../../../platform/text/texts.ts";
import { findClient } from "./apps.ts";
import { OAuthError } from "./errors.ts";
import { insertCode, selectCodeIsOf } from "./queries.ts";
import { grantScopes } from "./scopes.ts";
import { newSecret, tokenHash } from "./secret.ts";
import type { OAuthApp } from "./tables.ts";

const CODE_SECONDS = 600;

export type Authorization = {
  app: OAuthApp;
  redirectUri: string;
  scopes: string[];
  state: string | null;
  /** PKCE challenge (RFC 7636), S256. */
  codeChallenge: string | null;
};

type Texts = Partial<Record<string, string>>;

/** Without a method RFC 7636 means `plain`, which is not accepted. */
const readChallenge = (params: Texts): string | null => {
  const { code_challenge: challenge, code_challenge_method: method } = params;
  if (!challenge && !method) return null;
  if (method !== "S256") {
    throw new OAuthError("invalid_request", says("consent.fault.challenge_method"));
  }
  if (!challenge || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError("invalid_request", says("consent.fault.challenge"));
  }
  return challenge;
};

/**
 * Checks a request. The person is shown all faults and none redirects, because an unknown app must not send people to
 * its URI without their consent (RFC 9700, 4.11.2).
 */
export const readAuthorization = async (app: App, params: Texts): Promise<Authorization> => {
  const client = params["client_id"] ? await findClient(app, params["client_id"]) : null;
  if (!client) throw new OAuthError("invalid_client", says("consent.fault.unknown_app"));
  const redirectUri = params["redirect_uri"];
  if (!redirectUri || !client.redirect_uris.includes(redirectUri)) {
    throw new OAuthError("invalid_request", says("consent.fault.redirect_uri"));
  }
  if (params["response_type"] !== "code")
    throw new OAuthError("unsupported_response_type", says("consent.fault.response_type"));
  const scopes = grantScopes(client.scopes, params["scope"] ?? "");
  if (!scopes) throw new OAuthError("invalid_scope", says("consent.fault.scope"));
  const codeChallenge = readChallenge(params);
  return { app: client, redirectUri, scopes, state: params["state"] ?? null, codeChallenge };
};

/** Issues a code for what the person allowed, valid for 10 minutes and one use. */
export const grantCode = async (
  app: App,
  authorization: Authorization,
  { userId, accessId }: { userId: string; accessId: string | null },
): Promise<string> => {
  const code = newSecret();
  const now = app.clock.now().getTime();
  await insertCode(app.sql, {
    code_hash: tokenHash(code),
    app_id: authorization.app.id,
    user_id: userId,
    access_id: accessId,
    redirect_uri: authorization.redirectUri,
    scopes: authorization.scopes,
    code_challenge: authorization.codeChallenge,
    expires_at: new Date(now + CODE_SECONDS * 1000),
  });
  return code;
};

/**
 * Returns whether the code was issued to this person, or by this person for another account: the page shows no other.
 */
export const isCodeOf = (app: App, code: string, by: { userId: string; personId: string }) =>
  selectCodeIsOf(app.sql, tokenHash(code), by);
