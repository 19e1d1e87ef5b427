// All pages of sign-in, sign-up, consent and account settings, in a fastify scope of their own: only here
// cookies are read, and errors are pages.

import cookie from "@fastify/cookie";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { isUnstorable, translated } from "../../../platform/http/error-handler.ts";
import { headersOf, isKnown, statusOf } from "../../../platform/http/http-error.ts";
import type { KnownError } from "../../../platform/http/http-error.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { accessPages } from "./access.ts";
import { accountPages } from "./account.ts";
import { confirmationPages } from "./confirmation.ts";
import { consentPages } from "./consent.ts";
import { credentialPages } from "./credentials.ts";
import { deletionPages } from "./deletion.ts";
import { invitePages } from "./invites.ts";
import { movingPages } from "./moving.ts";
import { errorMessage, sendCard } from "./parts.ts";
import { passkeyScriptRoute } from "./passkey-script.ts";
import { passkeyUsePages } from "./passkey-use.ts";
import { passkeyPages } from "./passkeys.ts";
import { resetPages } from "./reset.ts";
import { secondStepPages } from "./second-step.ts";
import { setupPages } from "./setup.ts";
import { signInPages } from "./sign-in.ts";
import { signUpPages } from "./sign-up.ts";
import { standingPages } from "./standing.ts";
import { twoFactorPages } from "./two-factor.ts";

const pageStatus = (error: FastifyError | KnownError): number => {
  if (isKnown(error)) return statusOf(error);
  if (isUnstorable(error)) return 422;
  const { statusCode = 500 } = error;
  return statusCode >= 400 && statusCode < 500 ? statusCode : 500;
};

const messageOf = (error: FastifyError | KnownError, status: number): string => {
  if (status === 500) return "Something went wrong on our end. Please try again later.";
  if (isUnstorable(error)) return "A value that you entered cannot be saved.";
  return errorMessage(error);
};

/** Errors as pages, in words for people. */
export const sendError =
  (app: App) =>
  (given: FastifyError | KnownError, request: FastifyRequest, reply: FastifyReply) => {
    const error = translated(app, given);
    const status = pageStatus(error);
    if (status === 500) request.log.error({ err: error }, "page failed");
    if (isKnown(error)) reply.headers(headersOf(error));
    return sendCard(app, reply, {
      title: status === 404 ? "Page not found" : "Something went wrong",
      status,
      body: html`<p>${messageOf(error, status)}</p>`,
    });
  };

/** `more`: pages of other slices that need the session. */
export const authPages = (
  server: Server,
  app: App,
  more: ((pages: Server) => void)[] = [],
): void => {
  passkeyScriptRoute(server);
  server.register(async (pages: Server) => {
    await pages.register(cookie);
    pages.setErrorHandler(sendError(app));
    signInPages(pages, app);
    signUpPages(pages, app);
    confirmationPages(pages, app);
    setupPages(pages, app);
    consentPages(pages, app);
    standingPages(pages, app);
    secondStepPages(pages, app);
    passkeyUsePages(pages, app);
    resetPages(pages, app);
    accountPages(pages, app);
    credentialPages(pages, app);
    twoFactorPages(pages, app);
    passkeyPages(pages, app);
    accessPages(pages, app);
    invitePages(pages, app);
    movingPages(pages, app);
    deletionPages(pages, app);
    for (const add of more) add(pages);
  });
};
