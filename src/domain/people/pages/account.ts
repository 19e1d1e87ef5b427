// Signing out, and the well-known addresses of the settings.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { checkForm, signOut } from "./cookies.ts";
import { SETTINGS } from "./member.ts";
import { goTo } from "./parts.ts";

const takeSignOut = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await signOut(app, request, reply);
  return goTo(reply, "/auth/sign_in?done=signed_out");
};

/** Well-known addresses of these pages. */
const KNOWN_AS: Record<string, string> = {
  // https://w3c.github.io/webappsec-change-password-url/
  "/.well-known/change-password": "/settings/password",
  "/auth/account": SETTINGS,
  "/auth/edit": SETTINGS,
  "/oauth/authorized_applications": "/settings/apps",
};

export const accountPages = (server: Server, app: App): void => {
  server.post("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  server.delete("/auth/sign_out", (request, reply) => takeSignOut(app, request, reply));
  for (const [path, target] of Object.entries(KNOWN_AS)) {
    server.get(path, async (_request, reply) => goTo(reply, target));
  }
};
