// Handles switching between the accounts that a browser keeps signed in, signing out of one or all, and well-known
// addresses of the settings.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { keep } from "../../sso/attempts.ts";
import { SIGNED_OUT } from "../../sso/providers.ts";
import { endOf } from "../../sso/ways.ts";
import { checkForm, keepSsoTokens, leave, signOut, switchTo, visitor } from "./cookies.ts";
import { HOME, SETTINGS, goOn } from "./member.ts";
import { goTo, ownPath, signInPath } from "./components.ts";
import { textsOf } from "./texts.ts";

const takeSignOut = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const who = await visitor(app, request);
  const end = who && (await endOf(app, who.sessionId));
  await signOut({ app, request, reply });
  if (!end) return goTo(reply, SIGNED_OUT);
  keepSsoTokens(app, reply, [await keep(app, "end", end)]);
  return goTo(reply, "/auth/sso/signed_out");
};

type OfAccount = FastifyRequest<{ Params: { id: string } }>;

const takeSwitch = async (app: App, request: OfAccount, reply: FastifyReply) => {
  checkForm(app, request);
  const returnTo = ownPath(app, readTexts(request.body)["return_to"]) ?? HOME;
  const who = await switchTo({ app, request, reply }, request.params.id);
  // The account's session has ended, so that a password is required again.
  if (!who) return goTo(reply, signInPath(returnTo, "force"));
  return goOn({ ...textsOf(request), app, request, reply }, { who, returnTo });
};

const takeLeave = async (app: App, request: OfAccount, reply: FastifyReply) => {
  checkForm(app, request);
  const goesOn = await leave({ app, request, reply }, request.params.id);
  return goTo(reply, goesOn ? HOME : SIGNED_OUT);
};

/** Maps well-known addresses to these pages. */
const KNOWN_AS: Record<string, string> = {
  // https://w3c.github.io/webappsec-change-password-url/
  "/.well-known/change-password": "/settings/password",
  "/auth/account": SETTINGS,
  "/auth/edit": SETTINGS,
  "/oauth/authorized_applications": "/settings/apps",
};

export const accountPages = (server: Server, app: App): void => {
  server.post("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  server.post("/auth/accounts/:id/switch", (request: OfAccount, reply) =>
    takeSwitch(app, request, reply),
  );
  server.post("/auth/accounts/:id/sign_out", (request: OfAccount, reply) =>
    takeLeave(app, request, reply),
  );
  server.delete("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  for (const [path, target] of Object.entries(KNOWN_AS)) {
    server.get(path, async (_request, reply) => goTo(reply, target));
  }
};
