// Takes what providers tell of their people by SCIM, below /scim/v2: checks the token, counts, and asks the package.

import type { FastifyError, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Rate } from "../../../platform/buckets.ts";
import { Unauthorized } from "../../../platform/errors.ts";
import { bearerToken } from "../../../platform/http/auth.ts";
import { headersOf, isKnown, statusOf } from "../../../platform/http/http-error.ts";
import type { KnownError } from "../../../platform/http/http-error.ts";
import { addressKey } from "../../../platform/http/rate-limit.ts";
import { UNCOUNTED, countFailures, takeRequest } from "../../../platform/http/request-rates.ts";
import type { Server } from "../../../platform/http/server.ts";
import { readTexts } from "../oauth/parameters.ts";
import { tokenHash } from "../oauth/secret.ts";
import { selectTokenIssuer } from "./queries.ts";
import { scimError } from "./scim-error.ts";

const BODY_LIMIT = 512 * 1024;
const TYPE = "application/scim+json; charset=utf-8";

/** `token` limits a provider's requests, `failure` those without a valid token from an address. */
export type ScimRates = { token: Rate; failure: Rate };

/** Returns the issuer whose token this is; throws Unauthorized for no valid one. */
const issuerOf = async (app: App, request: FastifyRequest): Promise<string> => {
  const token = bearerToken(request);
  const issuer = token === null ? null : await selectTokenIssuer(app.sql, tokenHash(token));
  if (issuer === null) throw new Unauthorized();
  return issuer;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};

export const scimRoutes = (server: Server, app: App, rates: ScimRates): void => {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const types = ["application/json", "application/scim+json"];
    const options = { parseAs: "string" as const, bodyLimit: BODY_LIMIT };
    scope.addContentTypeParser(types, options, (_request, text, done) =>
      done(null, parse(String(text))),
    );
    scope.route({
      ...UNCOUNTED,
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: "/scim/v2/*",
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        reply.header("cache-control", "no-store").type(TYPE);
        const address = addressKey(request.ip);
        const issuer = await countFailures(app, "scim failures", rates.failure, address, () =>
          issuerOf(app, request),
        );
        takeRequest(app, "scim", rates.token, issuer);
        const { answerScim } = await import("#sso-accounts");
        const answer = await answerScim(app, issuer, {
          method: request.method,
          path: (request.params as { "*": string })["*"],
          query: readTexts(request.query),
          body: request.body,
          match: request.headers["if-match"] ?? null,
        });
        if (answer === null) throw new Unauthorized();
        const { status, body, etag, location } = answer;
        if (etag !== undefined) reply.header("etag", etag);
        if (location !== undefined) reply.header("location", location);
        return reply.code(status).send(body === null ? "" : JSON.stringify(body));
      },
    });
    // What is none of the client's doing is answered as everywhere.
    scope.setErrorHandler((error: FastifyError | KnownError, _request, reply) => {
      const status = isKnown(error) ? statusOf(error) : (error.statusCode ?? 500);
      if (status >= 500) throw error;
      if (isKnown(error)) reply.headers(headersOf(error));
      return reply
        .code(status)
        .type(TYPE)
        .send(JSON.stringify(scimError(status, error.message)));
    });
  });
};
