// Registers all pages of sign-in, sign-up, consent and account settings in a fastify scope of their own, where cookies
// are read and the language is known.

import cookie from "@fastify/cookie";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { appPages, sessionPages } from "./access.ts";
import { accountPages } from "./account.ts";
import { confirmationPages } from "./confirmation.ts";
import { consentPages } from "./consent.ts";
import { credentialPages } from "./credentials.ts";
import { deletionPages } from "./deletion.ts";
import { identityPages } from "./identities.ts";
import { invitePages } from "./invites.ts";
import { aliasPages, migrationPages } from "./moving.ts";
import { passkeyScriptRoute } from "./passkey-script.ts";
import { passkeyUsePages } from "./passkey-use.ts";
import { passkeyPages } from "./passkeys.ts";
import { resetPages } from "./reset.ts";
import { secondStepPages } from "./second-step.ts";
import { sharingPages } from "./sharing.ts";
import { setupPages } from "./setup.ts";
import { signInPages } from "./sign-in.ts";
import { signUpPages } from "./sign-up.ts";
import { standingPages } from "./standing.ts";
import { chooseTexts } from "./texts.ts";
import { twoFactorPages } from "./two-factor.ts";

/** `more` has pages of other slices that need the session. */
export const authPages = (
  server: Server,
  app: App,
  more: ((pages: Server) => void)[] = [],
): void => {
  passkeyScriptRoute(server);
  server.register(async (pages: Server) => {
    await pages.register(cookie);
    pages.addHook("preHandler", (request) => chooseTexts(app, request));
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
    sessionPages(pages, app);
    appPages(pages, app);
    invitePages(pages, app);
    identityPages(pages, app);
    sharingPages(pages, app);
    aliasPages(pages, app);
    migrationPages(pages, app);
    deletionPages(pages, app);
    for (const add of more) add(pages);
  });
};
