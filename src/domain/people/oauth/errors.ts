// Defines errors of the OAuth endpoints, with the codes and body of RFC 6749, 5.2.

import { HttpError } from "../../../platform/http/http-error.ts";
import { englishOf } from "../../../platform/text/texts.ts";
import type { Said } from "../../../platform/text/texts.ts";

const KNOWN = {
  invalid_request: [400, "The request is missing a parameter or has one that is not supported."],
  invalid_client: [401, "The client is unknown, or its secret is missing or incorrect."],
  invalid_grant: [
    400,
    "The grant is invalid, expired or already used, or was issued for another redirect URI or client.",
  ],
  invalid_scope: [400, "The scope is unknown, or exceeds the scopes registered by the app."],
  unsupported_grant_type: [400, "This grant type is not supported."],
  unsupported_response_type: [400, "This response type is not supported: use code."],
  unauthorized_client: [403, "The client is not allowed to revoke this token."],
  invalid_token: [401, "The access token is invalid."],
} as const;

type OAuthCode = keyof typeof KNOWN;

export class OAuthError extends HttpError {
  code: OAuthCode;
  /** `description` is shown where a person meets the error, on the page that asks for consent. */
  constructor(code: OAuthCode, description?: string | Said) {
    const [status, standard] = KNOWN[code];
    const words = description ?? standard;
    const said = typeof words === "string" ? undefined : words;
    const text = typeof words === "string" ? words : englishOf(words);
    super(status, text, {
      said,
      body: { error: code, error_description: text },
      headers: {
        "www-authenticate": `Bearer realm="Rookery", error="${code}", error_description="${text}"`,
      },
    });
    this.code = code;
  }
}
