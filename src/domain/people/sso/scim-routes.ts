// Takes what providers tell of their people by SCIM, below /scim/v2: checks the token, counts, and asks the package.

import type { FastifyError, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Rate } from "../../../platform/buckets.ts";
import { Unauthorized } from "../../../platform/errors.ts";
import { bearerToken } from "../../../platform/http/auth.ts";
import { headersOf, isKnown, statusOf } from "../../../platform/http/http-error.ts";
import type { KnownError } from "../../../platform/http/http-error.ts";
import { addressKey } from "../../../platform/http/rate-limit.ts";
import { UNCOUNTED, takeRequest } from "../../../platform/http/request-rates.ts";
import type { Server } from "../../../platform/http/server.ts";
import { tokenHash } from "../oauth/secret.ts";
import { selectTokenIssuer } from "./queries.ts";
import { scimError } from "./scim-error.ts";

const BODY_LIMIT = 512 * 1024;
const TYPE = "application/scim+json; charset=utf-8";

/** `token` limits a provider's requests, `failure` those without a valid token from an address. */
export type ScimRates = { token: Rate; failure: Rate };

/**
 * Returns the issuer whose token this is; throws Unauthorized for no valid one, and TooManyRequests for many of those.
 * Customers of a directory share its addresses, so a valid one is taken whatever else came from there.
 */
const issuerOf = async (app: App, request: FastifyRequest, failure: Rate): Promise<string> => {
  const token = bearerToken(request);
  const issuer = token === null ? null : await selectTokenIssuer(app.sql, tokenHash(token));
  if (issuer !== null) return issuer;
  takeRequest(app, "scim failures", failure, addressKey(request.ip));
  throw new Unauthorized();
};

/** Returns all parameters: without a filter that cannot be read, everybody would be answered. */
const textsIn = (query: object): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

export const scimRoutes = (server: Server, app: App, rates: ScimRates): void => {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const types = ["application/json", "application/scim+json"];
    const options = { parseAs: "string" as const, bodyLimit: BODY_LIMIT };
    // The package parses it. DELETE may say the type of no body.
    scope.addContentTypeParser(types, options, async (_request: unknown, text: string) => text);
    scope.route({
      ...UNCOUNTED,
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: "/scim/v2/*",
      bodyLimit: BODY_LIMIT,
      handler: async (request, reply) => {
        reply.header("cache-control", "no-store").type(TYPE);
        const issuer = await issuerOf(app, request, rates.failure);
        takeRequest(app, "scim", rates.token, issuer);
        const { answerScim } = await import("#sso-accounts");
        const answer = await answerScim(app, issuer, {
          method: request.method,
          path: (request.params as { "*": string })["*"],
          query: textsIn(request.query as object),
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
