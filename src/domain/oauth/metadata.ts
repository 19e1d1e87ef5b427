// What apps find out about our OAuth endpoints before they use them (RFC 8414).

import type { App } from "../../platform/app.ts";
import { SCOPES } from "./scopes.ts";

export const metadata = (app: App) => {
  const { origin } = app.config.site;
  return {
    issuer: `${origin}/`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    userinfo_endpoint: `${origin}/oauth/userinfo`,
    app_registration_endpoint: `${origin}/api/v1/apps`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    service_documentation: "https://docs.joinmastodon.org/",
  };
};
