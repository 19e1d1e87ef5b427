// Exchanges a code, or the credentials of an app, for a token (RFC 6749, 4.1.3 and 4.4).

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { isSameSecret } from "../../../platform/seal.ts";
import { authenticateClient } from "./apps.ts";
import { OAuthError } from "./errors.ts";
import { selectCodeLocked, updateCodeUsed } from "./queries.ts";
import { announceRevoked, revokeAllOfCode } from "./revoke.ts";
import { grantScopes } from "./scopes.ts";
import { tokenHash } from "./secret.ts";
import type { CodeRow, OAuthApp } from "./tables.ts";
import { issueToken } from "./tokens.ts";
import type { IssuedToken } from "./tokens.ts";

type Texts = Partial<Record<string, string>>;

const verifierMatches = (challenge: string, verifier: string): boolean => {
  const computed = createHash("sha256").update(verifier).digest("base64url");
  return isSameSecret(computed, challenge);
};

const checkVerifier = (row: CodeRow, verifier: string | undefined): void => {
  // A verifier without a challenge is refused: an attacker may have removed the challenge (RFC 9700, 2.1.1).
  if (row.code_challenge === null) {
    if (verifier) throw new OAuthError("invalid_grant");
    return;
  }
  if (!verifier) throw new OAuthError("invalid_request", "The code_verifier is missing.");
  if (!verifierMatches(row.code_challenge, verifier)) throw new OAuthError("invalid_grant");
};

/**
 * Returns the token, or for a used code the revoked tokens; it does not throw then, because the revocation must be
 * committed.
 */
const useCode = async (app: App, tx: Tx, client: OAuthApp, params: Texts, hash: Buffer) => {
  const row = await selectCodeLocked(tx, hash);
  const now = app.clock.now();
  if (!row || row.app_id !== client.id) throw new OAuthError("invalid_grant");
  // One of the two who used it was an attacker, so the code's tokens are revoked (RFC 6749, 4.1.2).
  if (row.used_at) return { ended: await revokeAllOfCode(app, tx, hash) };
  if (row.expires_at <= now || row.redirect_uri !== params["redirect_uri"]) {
    throw new OAuthError("invalid_grant");
  }
  checkVerifier(row, params["code_verifier"]);
  await updateCodeUsed(tx, hash, now);
  const { user_id, access_id, scopes } = row;
  const token = { app_id: client.id, user_id, access_id, scopes, code_hash: hash };
  return { token: await issueToken(tx, token) };
};

const exchangeCode = async (app: App, client: OAuthApp, params: Texts): Promise<IssuedToken> => {
  for (const name of ["code", "redirect_uri"]) {
    if (!params[name]) throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  }
  const hash = tokenHash(params["code"]!);
  const { token, ended } = await app.sql.begin((tx) => useCode(app, tx, client, params, hash));
  if (token) return token;
  await announceRevoked(app, ended ?? []);
  throw new OAuthError("invalid_grant");
};

const appToken = (app: App, client: OAuthApp, params: Texts): Promise<IssuedToken> => {
  const scopes = grantScopes(client.scopes, params["scope"] ?? "");
  if (!scopes) throw new OAuthError("invalid_scope");
  return issueToken(app.sql, { app_id: client.id, user_id: null, scopes });
};

const GRANTS: Record<string, typeof exchangeCode> = {
  authorization_code: exchangeCode,
  client_credentials: appToken,
};

/** Turns request parameters into a token; throws OAuthError. */
export const exchange = async (app: App, params: Texts): Promise<IssuedToken> => {
  const type = params["grant_type"];
  if (!type) throw new OAuthError("invalid_request", "The parameter grant_type is missing.");
  if (!Object.hasOwn(GRANTS, type)) throw new OAuthError("unsupported_grant_type");
  const client = await authenticateClient(app, params["client_id"], params["client_secret"]);
  return GRANTS[type]!(app, client, params);
};

/** Makes the Token entity. https://docs.joinmastodon.org/entities/Token/ */
export const tokenEntity = (token: IssuedToken) => ({
  access_token: token.token,
  token_type: "Bearer",
  scope: token.scopes.join(" "),
  created_at: Math.floor(token.createdAt.getTime() / 1000),
});
