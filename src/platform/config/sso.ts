// Reads the provider that people sign in by, in the variables of Mastodon's OmniAuth; further ones are added by the
// staff. https://docs.joinmastodon.org/admin/config/#oidc

import { ConfigError } from "../errors.ts";
import { boolean, oneOf, optional, text } from "./parse.ts";
import type { Env } from "./parse.ts";

/** Which claims are read where nobody says others. */
export const DEFAULT_CLAIMS = {
  subject: "sub",
  name: "name",
  username: "preferred_username",
  picture: "picture",
  email: "email",
  groups: "groups",
};

type Read = { name: string; value: string | null };

const read = (env: Env, name: string): Read => ({ name, value: optional(env, name) });

const required = ({ name, value }: Read): string => {
  if (value === null) throw new ConfigError(`Set ${name} too, or remove OIDC_ENABLED.`);
  return value;
};

const address = ({ name, value }: Read): string | null => {
  if (value !== null && !(/^https?:/.test(value) && URL.canParse(value)))
    throw new ConfigError(`${name} must be an address.`);
  return value;
};

const readEndpoints = (env: Env) => ({
  authorization: read(env, "OIDC_AUTH_ENDPOINT"),
  token: read(env, "OIDC_TOKEN_ENDPOINT"),
  keys: read(env, "OIDC_JWKS_URI"),
  userInfo: read(env, "OIDC_USER_INFO_ENDPOINT"),
  endSession: read(env, "OIDC_END_SESSION_ENDPOINT"),
});

const checkedEndpoints = (endpoints: ReturnType<typeof readEndpoints>) => {
  const [authorization, token, keys] = [endpoints.authorization, endpoints.token, endpoints.keys];
  for (const endpoint of [authorization, token, keys]) required(endpoint);
  return {
    authorization: address(authorization)!,
    token: address(token)!,
    keys: address(keys)!,
    userInfo: address(endpoints.userInfo),
    endSession: address(endpoints.endSession),
  };
};

const readProvider = (env: Env, origin: string) => {
  const [issuer, clientId] = [read(env, "OIDC_ISSUER"), read(env, "OIDC_CLIENT_ID")];
  const callback = `${origin}/auth/auth/openid_connect/callback`;
  const endpoints = readEndpoints(env);
  const options = {
    name: text(env, "OIDC_DISPLAY_NAME", URL.parse(issuer.value ?? "")?.host ?? "OpenID Connect"),
    secret: optional(env, "OIDC_CLIENT_SECRET"),
    clientAuth: oneOf(env, "OIDC_CLIENT_AUTH_METHOD", ["basic", "post"] as const, "basic"),
    scope: text(env, "OIDC_SCOPE", "openid profile email"),
    subject: text(env, "OIDC_UID_FIELD", DEFAULT_CLAIMS.subject),
    redirect: text(env, "OIDC_REDIRECT_URI", callback),
    discovers: boolean(env, "OIDC_DISCOVERY", endpoints.token.value === null),
    assumesVerified: boolean(env, "OIDC_SECURITY_ASSUME_EMAIL_IS_VERIFIED", false),
    linksByEmail: boolean(env, "ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH", false),
  };
  if (!boolean(env, "OIDC_ENABLED", false)) return null;
  const { name, secret, clientAuth, scope, subject, assumesVerified, linksByEmail } = options;
  if (subject === "email")
    throw new ConfigError(
      "OIDC_UID_FIELD must not be email: providers give addresses to other people. Use sub.",
    );
  if (options.redirect !== callback)
    throw new ConfigError(`OIDC_REDIRECT_URI must be ${callback}, which the provider has to know.`);
  required(issuer);
  const scopes = scope.split(/[\s,]+/);
  if (!scopes.includes("openid"))
    throw new ConfigError("OIDC_SCOPE must have openid: without it nobody can be signed in.");
  return {
    name,
    issuer: address(issuer)!,
    secret,
    settings: {
      clientId: required(clientId),
      clientAuth,
      scope: scopes.join(" "),
      endpoints: options.discovers ? null : checkedEndpoints(endpoints),
      claims: { ...DEFAULT_CLAIMS, subject },
      assumesVerified,
      linksByEmail,
      // Whoever can write the environment may reach whatever the machine does.
      isInside: true,
      signsUp: true,
      isStrong: false,
      groups: [],
      roles: [],
    },
  };
};

export const readSso = (env: Env, origin: string) => ({
  /** Whether nobody but owners signs in with a password or passkey. */
  only: boolean(env, "SSO_ONLY", boolean(env, "OMNIAUTH_ONLY", false)),
  provider: readProvider(env, origin),
});
