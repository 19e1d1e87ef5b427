// The cookies of our pages: the session of a person, a visitor's before signing in, and the one between
// password and code. Also the
// tokens in forms that prove that a form came from our own page.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { SESSION_DAYS, endSession, findSession, startSession } from "../session.ts";
import type { SignedIn } from "../sign-in.ts";

type Kind = "session" | "visit" | "step";

/** `__Host-`: no neighbour on another subdomain can plant one. It needs https. */
const cookieName = (app: App, kind: Kind): string =>
  `${app.config.site.https ? "__Host-" : ""}rookery_${kind}`;

const options = (app: App) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: app.config.site.https,
});

const cookie = (app: App, request: FastifyRequest, kind: Kind): string | null =>
  request.cookies[cookieName(app, kind)] || null;

/** Who is signed in, whatever their standing; null: nobody. */
export const visitor = async (app: App, request: FastifyRequest): Promise<SignedIn | null> => {
  const token = cookie(app, request, "session");
  return token ? findSession(app, token) : null;
};

/** Starts a new session, in the place of the one until now. */
export const signIn = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: string,
): Promise<void> => {
  const token = await startSession(app, userId, {
    ip: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    replaces: cookie(app, request, "session"),
  });
  const maxAge = SESSION_DAYS * 86_400;
  reply.setCookie(cookieName(app, "session"), token, { ...options(app), maxAge });
};

/** The token of the session that asks; null when nobody is signed in. */
export const sessionToken = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session");

/** How long somebody who gave the password may look for the code. */
export const STEP_SECONDS = 600;

export const setStep = (app: App, reply: FastifyReply, token: string): void => {
  reply.setCookie(cookieName(app, "step"), token, { ...options(app), maxAge: STEP_SECONDS });
};

export const stepToken = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "step");

export const clearStep = (app: App, reply: FastifyReply): void => {
  reply.clearCookie(cookieName(app, "step"), options(app));
};

export const signOut = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const token = cookie(app, request, "session");
  if (token) await endSession(app, token);
  reply.clearCookie(cookieName(app, "session"), options(app));
};

const formToken = (app: App, value: string): string =>
  createHmac("sha256", app.config.secrets.keyBase).update(`form:${value}`).digest("base64url");

const newVisits = new WeakMap<FastifyRequest, string>();

/** The cookie that the browser has: of the session, or a visitor's. */
export const browserOf = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session") ?? cookie(app, request, "visit");

/** As `browserOf`; a visitor's cookie is set if need be. */
export const ensureBrowser = (app: App, request: FastifyRequest, reply: FastifyReply): string => {
  const present = browserOf(app, request) ?? newVisits.get(request);
  if (present) return present;
  const value = randomBytes(32).toString("base64url");
  newVisits.set(request, value);
  reply.setCookie(cookieName(app, "visit"), value, options(app));
  return value;
};

/** The hidden field of a form; bound to the session, or to a visitor's cookie. */
export const formField = (app: App, request: FastifyRequest, reply: FastifyReply): Html => {
  const value = ensureBrowser(app, request, reply);
  return html`<input type="hidden" name="form_token" value="${formToken(app, value)}" />`;
};

/** Throws Forbidden when a form was not made by our page for this browser. */
export const checkForm = (app: App, request: FastifyRequest): void => {
  const value = browserOf(app, request);
  const { form_token: given } = (request.body ?? {}) as Record<string, unknown>;
  const wanted = value ? Buffer.from(formToken(app, value)) : null;
  const sent = Buffer.from(typeof given === "string" ? given : "");
  if (!wanted || wanted.length !== sent.length || !timingSafeEqual(wanted, sent)) {
    throw new Forbidden(
      "This form is too old, or your browser does not keep cookies. Go back, load the page again and send it once more.",
    );
  }
};
