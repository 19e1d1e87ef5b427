// OpenID Connect: the code flow with PKCE, state and nonce over `openid-client`, which checks issuer (RFC 9207 too),
// audience, times and, as it is asked to here, signatures. https://openid.net/specs/openid-connect-core-1_0.html

import { createRemoteJWKSet, customFetch as keysFetch, jwtVerify } from "jose";
import type { JWTVerifyGetKey } from "jose";
import * as client from "openid-client";
import { identityIn } from "./claims.ts";
import type { ClaimNames, Claims } from "./claims.ts";
import { isAway, judging, reasonOf } from "./judged.ts";
import { SsoError } from "./port.ts";
import type { Examination, Grant, Kept, Logout, Protocol, Send, SignIn, SsoFault } from "./port.ts";

export type OpenIdSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  /** How the secret is sent: in a header, or in the form. */
  clientAuth: "basic" | "post";
  scope: string;
  /** Null where they are discovered. */
  endpoints: Endpoints | null;
  claims: ClaimNames;
  /** Whether addresses count as verified although the provider does not say so. */
  assumesVerified: boolean;
  /** Whether the provider may have plain http, in one's own network. */
  allowsHttp: boolean;
};

export type Endpoints = {
  authorization: string;
  token: string;
  userInfo: string | null;
  keys: string;
  endSession: string | null;
};

const SECONDS = 10;
/** Seconds by which clocks may differ. */
const TOLERANCE = 30;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

const fetchOver =
  (send: Send): client.CustomFetch =>
  async (url, { method, headers, body }) => {
    const sent = body instanceof URLSearchParams ? body.toString() : body;
    const answer = await send(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(typeof sent === "string" || sent instanceof Uint8Array ? { body: sent } : {}),
    });
    const isBare = [204, 205, 304].includes(answer.status);
    return new Response(isBare ? null : answer.body, {
      status: answer.status,
      headers: answer.headers,
    });
  };

const authOf = ({ clientSecret, clientAuth }: OpenIdSettings): client.ClientAuth => {
  if (clientSecret === null) return client.None();
  return clientAuth === "post"
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret);
};

const serverOf = (issuer: string, endpoints: Endpoints): client.ServerMetadata => ({
  issuer,
  authorization_endpoint: endpoints.authorization,
  token_endpoint: endpoints.token,
  jwks_uri: endpoints.keys,
  ...(endpoints.userInfo && { userinfo_endpoint: endpoints.userInfo }),
  ...(endpoints.endSession && { end_session_endpoint: endpoints.endSession }),
});

const configure = async (
  settings: OpenIdSettings,
  request: client.CustomFetch,
): Promise<client.Configuration> => {
  const { issuer, clientId, allowsHttp, endpoints } = settings;
  const metadata = { [client.clockTolerance]: TOLERANCE };
  const execute = [
    // Without it a token that came over TLS would be believed without its signature.
    client.enableNonRepudiationChecks,
    ...(allowsHttp ? [client.allowInsecureRequests] : []),
  ];
  const auth = authOf(settings);
  if (endpoints === null) {
    const options = { [client.customFetch]: request, execute, timeout: SECONDS };
    return client.discovery(new URL(issuer), clientId, metadata, auth, options);
  }
  const server = serverOf(issuer, endpoints);
  const configuration = new client.Configuration(server, clientId, metadata, auth);
  configuration[client.customFetch] = request;
  configuration.timeout = SECONDS;
  for (const apply of execute) apply(configuration);
  return configuration;
};

/** Codes of the OAuth error response that say that the person is not let in, rather than that something is broken. */
const DENIALS = ["access_denied", "login_required", "consent_required", "interaction_required"];

const faultOf = (error: unknown): SsoFault | null => {
  if (error instanceof client.AuthorizationResponseError)
    return DENIALS.includes(error.error) ? "denied" : "invalid";
  if (error instanceof client.ResponseBodyError)
    return error.error === "invalid_grant" ? "ended" : "invalid";
  return null;
};

/** Returns the code of an OAuth error response; a challenge of the token endpoint says that the client is refused. */
const codeIn = (error: unknown): string | null => {
  if (error instanceof client.ResponseBodyError) return error.error;
  if (!(error instanceof client.WWWAuthenticateChallengeError)) return null;
  return error.cause[0]?.parameters.error ?? "invalid_client";
};

const CLIENT_REFUSALS = ["invalid_client", "unauthorized_client"];

const isClientRefused = (error: unknown): boolean => CLIENT_REFUSALS.includes(codeIn(error) ?? "");

const reasonIn = (error: unknown): string => {
  const code = codeIn(error);
  if (isClientRefused(error)) return `The client ID or its secret is refused (${code})`;
  return reasonOf(error, ...(code === null ? [] : [code]));
};

const judged = judging(faultOf, reasonIn);

type Tokens = client.TokenEndpointResponse & client.TokenEndpointResponseHelpers;

/** Returns keys that are asked for again, at most every half minute, when a message has another one. */
const keysAt = (url: string, request: client.CustomFetch): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(url), {
    [keysFetch]: (address, { method, headers }) =>
      request(address, {
        method,
        headers: Object.fromEntries(headers),
        body: null,
        redirect: "manual",
      }),
  });

export const openIdConnect = (settings: OpenIdSettings, send: Send): Protocol => {
  const request = fetchOver(send);
  let configuring: Promise<client.Configuration> | null = null;
  let keySet: JWTVerifyGetKey | null = null;
  const configuration = (): Promise<client.Configuration> =>
    (configuring ??= configure(settings, request).catch((error: unknown) => {
      configuring = null;
      throw error;
    }));

  const userInfo = async (
    config: client.Configuration,
    tokens: Tokens,
    sub: string,
  ): Promise<Claims> =>
    config.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : client.fetchUserInfo(config, tokens.access_token, sub);

  const signInOf = async (
    config: client.Configuration,
    tokens: Tokens,
    known: Claims,
  ): Promise<SignIn> => {
    const claims: Claims = { ...known, ...(await userInfo(config, tokens, String(known["sub"]))) };
    const identity = identityIn(settings.issuer, claims, settings.claims, settings.assumesVerified);
    if (!identity) throw new SsoError("invalid", `The claim ${settings.claims.subject} is missing`);
    const scope = (tokens.scope ?? settings.scope).split(/\s+/);
    const grant: Grant = {
      session: typeof claims["sid"] === "string" ? claims["sid"] : null,
      idToken: tokens.id_token ?? null,
      refreshToken: tokens.refresh_token ?? null,
      isLasting: scope.includes("offline_access"),
    };
    return { identity, grant };
  };

  /**
   * Throws where the provider refuses the client or its secret, by a code that it never gave: about a client that it
   * knows it says something else than that.
   */
  const tryClient = async (config: client.Configuration): Promise<void> => {
    const parameters = {
      code: client.randomState(),
      code_verifier: client.randomPKCECodeVerifier(),
    };
    try {
      await client.genericGrantRequest(config, "authorization_code", parameters);
    } catch (error) {
      if (isClientRefused(error) || isAway(error)) throw error;
    }
  };

  return {
    examine: () =>
      judged(async (): Promise<Examination> => {
        const config = await configuration();
        const server = config.serverMetadata();
        const [authorization, token, keys] = [
          server.authorization_endpoint,
          server.token_endpoint,
          server.jwks_uri,
        ];
        if (!authorization || !token || !keys)
          throw new SsoError(
            "invalid",
            "The provider names no endpoints for codes, tokens and keys",
          );
        const answer = await request(keys, {
          method: "GET",
          headers: {},
          redirect: "manual",
          body: null,
        });
        const set = (await answer.json()) as { keys?: unknown };
        if (answer.status !== 200 || !Array.isArray(set.keys))
          throw new SsoError("invalid", `There are no keys at ${keys}`);
        await tryClient(config);
        return {
          issuer: server.issuer,
          endpoints: { authorization, token, keys },
          tellsLogout: server["backchannel_logout_supported"] === true,
          couldLast:
            (server.scopes_supported ?? []).includes("offline_access") &&
            !settings.scope.split(/\s+/).includes("offline_access"),
        };
      }),

    begin: (redirectUri) =>
      judged(async () => {
        const config = await configuration();
        const kept: Kept = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: settings.scope,
          state: kept["state"]!,
          nonce: kept["nonce"]!,
          code_challenge: await client.calculatePKCECodeChallenge(kept["verifier"]!),
          code_challenge_method: "S256",
          // Providers give a token that outlives their session only after consent (OpenID Connect Core, 11).
          ...(settings.scope.split(/\s+/).includes("offline_access") && { prompt: "consent" }),
        });
        return { url: url.href, kept };
      }),

    answers: (callback, kept) => new URL(callback).searchParams.get("state") === kept["state"],

    finish: (callback, kept) =>
      judged(async () => {
        const config = await configuration();
        const url = new URL(callback);
        if (!kept["state"] || url.searchParams.get("state") !== kept["state"])
          throw new SsoError("mismatch", "The state is not the one of this browser");
        const tokens = await client.authorizationCodeGrant(config, url, {
          expectedState: kept["state"],
          expectedNonce: kept["nonce"]!,
          pkceCodeVerifier: kept["verifier"]!,
          idTokenExpected: true,
        });
        return signInOf(config, tokens, tokens.claims()!);
      }),

    refresh: (refreshToken, subject) =>
      judged(async () => {
        const config = await configuration();
        const tokens = await client.refreshTokenGrant(config, refreshToken);
        // A new ID token is not promised (OpenID Connect Core, 12.2); the person stays the same one.
        const claims: Claims = tokens.claims() ?? {};
        const sub = claims["sub"] ?? (settings.claims.subject === "sub" ? subject : undefined);
        if (sub === undefined) throw new SsoError("invalid", "The provider does not say who it is");
        const renewed = await signInOf(config, tokens, { ...claims, sub });
        if (renewed.identity.subject !== subject)
          throw new SsoError("invalid", "The token became somebody else's");
        const refreshed = renewed.grant.refreshToken ?? refreshToken;
        return { ...renewed, grant: { ...renewed.grant, refreshToken: refreshed } };
      }),

    endUrl: (idToken, returnTo) =>
      judged(async () => {
        const config = await configuration();
        if (config.serverMetadata().end_session_endpoint === undefined) return null;
        return client.buildEndSessionUrl(config, {
          post_logout_redirect_uri: returnTo,
          ...(idToken && { id_token_hint: idToken }),
        }).href;
      }),

    // https://openid.net/specs/openid-connect-backchannel-1_0.html#Validation
    readLogout: (message) =>
      judged(async (): Promise<Logout> => {
        const config = await configuration();
        const { issuer, jwks_uri: keys } = config.serverMetadata();
        if (keys === undefined) throw new SsoError("invalid", "The provider has no keys");
        keySet ??= keysAt(keys, request);
        const { payload } = await jwtVerify(message, keySet, {
          issuer,
          audience: settings.clientId,
          clockTolerance: TOLERANCE,
          maxTokenAge: "10 min",
        });
        const { sub, sid, jti, nonce, events } = payload;
        const isLogout =
          typeof events === "object" && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
        if (!isLogout || nonce !== undefined || !jti || (!sub && typeof sid !== "string"))
          throw new SsoError("invalid", "It is no logout token");
        return {
          id: jti,
          issuer: settings.issuer,
          subject: sub ?? null,
          session: typeof sid === "string" ? sid : null,
        };
      }),
  };
};
