// The cookies of our pages: the session of a person, a visitor's before signing in, the one between
// password and code, one that remembers a sign-up until its address is confirmed, and one for the accounts
// that know the browser.

import { fastifyCookie } from "@fastify/cookie";
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { says } from "../../../platform/text/texts.ts";
import { CONFIRM_DAYS } from "../confirm.ts";
import { KNOWN_DAYS, knownNumber, withKnown } from "../known-browsers.ts";
import type { Known } from "../known-browsers.ts";
import { formDigest, isFormToken, makeFormToken } from "./form-token.ts";
import { SESSION_DAYS, endSession, findSession, startSession } from "../session.ts";
import type { SignedIn } from "../sign-in.ts";

type Kind = "session" | "visit" | "step" | "sign_up" | "known";

/** `__Host-`: another subdomain cannot set one. It needs https. */
const cookieName = (app: App, kind: Kind): string =>
  `${app.config.site.https ? "__Host-" : ""}rookery_${kind}`;

const options = (app: App) => ({
  path: "/",
  httpOnly: true,
  sameSite: "lax" as const,
  secure: app.config.site.https,
});

/** Error pages of paths without a route are outside the scopes in which cookies are parsed. */
const cookiesOf = (request: FastifyRequest): Record<string, string | undefined> =>
  request.cookies ?? fastifyCookie.parse(request.headers.cookie ?? "");

const cookie = (app: App, request: FastifyRequest, kind: Kind): string | null =>
  cookiesOf(request)[cookieName(app, kind)] || null;

type Visitor = (SignedIn & { sessionId: string }) | null;

const visitors = new WeakMap<FastifyRequest, Promise<Visitor>>();

/** The signed-in person, active or not, with the session, as the request began; null: nobody. */
export const visitor = (app: App, request: FastifyRequest): Promise<Visitor> => {
  const known = visitors.get(request);
  if (known) return known;
  const token = cookie(app, request, "session");
  const found = token ? findSession(app, token) : Promise.resolve(null);
  visitors.set(request, found);
  return found;
};

/** After a sign-in or a new password: from now on the account knows the browser. */
export const rememberBrowser = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Known,
): void => {
  const value = withKnown(app, cookie(app, request, "known"), who);
  const maxAge = KNOWN_DAYS * 86_400;
  reply.setCookie(cookieName(app, "known"), value, { ...options(app), maxAge });
};

/** The number of this browser if the account knows it, otherwise null. */
export const knownBrowser = (app: App, request: FastifyRequest, who: Known): number | null =>
  knownNumber(app, cookie(app, request, "known"), who);

/** Starts a new session, which replaces the current one. */
export const signIn = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Known,
): Promise<void> => {
  const token = await startSession(app, who.userId, {
    ip: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    replaces: cookie(app, request, "session"),
  });
  const maxAge = SESSION_DAYS * 86_400;
  reply.setCookie(cookieName(app, "session"), token, { ...options(app), maxAge });
  rememberBrowser(app, request, reply, who);
  if (cookie(app, request, "sign_up")) reply.clearCookie(cookieName(app, "sign_up"), options(app));
};

/** The token of the request's session; null when nobody is signed in. */
export const sessionToken = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session");

/** How long the code may be entered after the password. */
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

const newVisits = new WeakMap<FastifyRequest, string>();

/** The cookie of the browser: of the session, or a visitor's. */
export const browserOf = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session") ?? cookie(app, request, "visit");

/** As `browserOf`; sets a visitor's cookie if there is none. */
export const ensureBrowser = (app: App, request: FastifyRequest, reply: FastifyReply): string => {
  const present = browserOf(app, request) ?? newVisits.get(request);
  if (present) return present;
  const value = randomBytes(32).toString("base64url");
  newVisits.set(request, value);
  reply.setCookie(cookieName(app, "visit"), value, options(app));
  return value;
};

/** The hidden field of a form, bound to the session or to a visitor's cookie. */
export const formField = (app: App, request: FastifyRequest, reply: FastifyReply): Html => {
  const value = ensureBrowser(app, request, reply);
  return html`<input type="hidden" name="form_token" value="${makeFormToken(app, value)}" />`;
};

/** The same for scripts of these pages; only where the browser has a cookie. */
export const formTokenOf = (app: App, request: FastifyRequest): string => {
  const value = browserOf(app, request);
  return value ? makeFormToken(app, value) : "";
};

const signUpMark = (app: App, userId: string): string =>
  formDigest(app, `sign-up:${userId}`).toString("base64url");

/** Notes that this browser knows the password of an account whose address awaits confirmation. */
export const rememberSignUp = (app: App, reply: FastifyReply, userId: string): void => {
  const maxAge = CONFIRM_DAYS * 86_400;
  const value = signUpMark(app, userId);
  reply.setCookie(cookieName(app, "sign_up"), value, { ...options(app), maxAge });
};

/** Whether `rememberSignUp` noted this account in this browser. */
export const isSignUpOf = (app: App, request: FastifyRequest, userId: string): boolean =>
  cookie(app, request, "sign_up") === signUpMark(app, userId);

/** Throws Forbidden unless the form was made by these pages for this browser. */
export const checkForm = (app: App, request: FastifyRequest): void => {
  const value = browserOf(app, request);
  const { form_token: given } = (request.body ?? {}) as Record<string, unknown>;
  if (!value || !isFormToken(app, value, given)) {
    throw new Forbidden(says("form.expired"));
  }
};
