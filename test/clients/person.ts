// A person with the client library masto: registers an app and authorizes it through the pages.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createOAuthAPIClient, createRestAPIClient } from "masto";
import type { mastodon } from "masto";
import { openBrowser } from "../browser.ts";
import type { TestApp } from "../harness.ts";

const REDIRECT = "https://app.example/callback";
const SCOPES = "read write follow push";

export type Client = {
  app: mastodon.v1.Client;
  clientId: string;
  clientSecret: string;
};

export const registerApp = async (server: TestApp): Promise<Client> => {
  const rest = createRestAPIClient({ url: server.url });
  const app = await rest.v1.apps.create({
    clientName: "A day with masto",
    redirectUris: REDIRECT,
    scopes: SCOPES,
    website: "https://app.example",
  });
  return { app, clientId: app.clientId!, clientSecret: app.clientSecret! };
};

/** Signs in and authorizes the app in a browser; returns the code of the redirect. */
const codeFor = async (server: TestApp, clientId: string, login: string, challenge: string) => {
  const browser = openBrowser(server);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope: SCOPES,
    state: "xyz",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const answer = await browser.get(`/oauth/authorize?${query}`);
  assert.equal(answer.status, 302, "who is not signed in is sent to sign in");
  const signIn = await browser.get(answer.headers.get("location")!);
  const values = { login, password: "correct horse" };
  const signedIn = await browser.submit(signIn, "/auth/sign_in", values);
  const consent = await browser.get(signedIn.headers.get("location")!);
  assert.match(consent.text, /A day with masto/);
  const allowed = await browser.submit(consent, "/oauth/authorize", { decision: "allow" });
  const back = new URL(allowed.headers.get("location")!);
  assert.equal(back.origin + back.pathname, REDIRECT);
  assert.equal(back.searchParams.get("state"), "xyz");
  return back.searchParams.get("code")!;
};

/** Returns a token for the person who signs in, by authorization code with PKCE (RFC 7636). */
export const signInWith = async (
  server: TestApp,
  { clientId, clientSecret }: Client,
  login: string,
  options: { verifier?: string } = {},
): Promise<mastodon.v1.Token> => {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const code = await codeFor(server, clientId, login, challenge);
  const oauth = createOAuthAPIClient({ url: server.url });
  const parameters = {
    grantType: "authorization_code" as const,
    clientId,
    clientSecret,
    redirectUri: REDIRECT,
    code,
    // This is sent as code_verifier, but missing in the library's types.
    codeVerifier: options.verifier ?? verifier,
  };
  return oauth.token.create(parameters);
};
