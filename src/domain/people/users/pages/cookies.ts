// Manages the cookies of our pages: the session of a person, those of other accounts that the browser keeps signed in,
// a visitor's before signing in, the one between password and code, that of a sign-in at a provider, one that remembers
// a sign-up until its address is confirmed, where to go on after a mail, one for the accounts that know the browser.

import { fastifyCookie } from "@fastify/cookie";
import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { Forbidden } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { CONFIRM_DAYS } from "../confirm.ts";
import { KNOWN_DAYS, knownNumber, withKnown } from "../known-browsers.ts";
import type { Known } from "../known-browsers.ts";
import { formDigest, isFormToken, makeFormToken } from "./form-token.ts";
import { SESSION_DAYS, endSessions, findSession, findSessions, startSession } from "../session.ts";
import type { HeldSession } from "../session.ts";
import { mayUsePages, mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { ATTEMPT_SECONDS } from "../../sso/attempts.ts";
import type { Began } from "../../sso/sessions.ts";
import { accessFrom, entered } from "../identities/enter.ts";

type Kind = "session" | "others" | "visit" | "step" | "sign_up" | "goal" | "known" | "sso";

/** `__Host-` prevents other subdomains from setting the cookie; it needs https. */
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

/** Returns the signed-in person, active or not, with the session, as the request began; null for nobody. */
export const visitor = (app: App, request: FastifyRequest): Promise<Visitor> => {
  const known = visitors.get(request);
  if (known) return known;
  const token = cookie(app, request, "session");
  const session = token ? findSession(app, token) : Promise.resolve(null);
  visitors.set(request, session);
  return session;
};

/** Accounts that a browser keeps signed in, the current one included. */
export const MAX_ACCOUNTS = 5;

/**
 * Returns tokens of the sessions of other accounts, the one that was left last first. They are used only for switching.
 */
const otherTokens = (app: App, request: FastifyRequest): string[] =>
  (cookie(app, request, "others") ?? "")
    .split(".")
    .filter(Boolean)
    .slice(0, MAX_ACCOUNTS - 1);

/** Returns the current session first, whether or not it has ended. */
const heldTokens = (app: App, request: FastifyRequest): string[] => {
  const current = cookie(app, request, "session");
  return [...(current ? [current] : []), ...otherTokens(app, request)];
};

/** Returns the other accounts that this browser keeps signed in. */
export const otherAccounts = (app: App, request: FastifyRequest): Promise<HeldSession[]> =>
  findSessions(app, otherTokens(app, request));

/** A request to the pages, and the reply to it, which sets cookies. */
type Exchange = { app: App; request: FastifyRequest; reply: FastifyReply };

/** Makes the first of these the current one; with none nobody is signed in. */
const keepSessions = ({ app, request, reply }: Exchange, [current, ...others]: string[]): void => {
  const lasting = { ...options(app), maxAge: SESSION_DAYS * 86_400 };
  const keep = (kind: Kind, value = "") => {
    if (value) reply.setCookie(cookieName(app, kind), value, lasting);
    else if (cookie(app, request, kind)) reply.clearCookie(cookieName(app, kind), options(app));
  };
  keep("session", current);
  keep("others", others.join("."));
};

/** Makes the account know the browser, after a sign-in or a new password. */
export const rememberBrowser = ({ app, request, reply }: Exchange, who: Known): void => {
  const value = withKnown(app, cookie(app, request, "known"), who);
  const maxAge = KNOWN_DAYS * 86_400;
  reply.setCookie(cookieName(app, "known"), value, { ...options(app), maxAge });
};

/** Returns the number of this browser if the account knows it, otherwise null. */
export const knownBrowser = (app: App, request: FastifyRequest, who: Known): number | null =>
  knownNumber(app, cookie(app, request, "known"), who);

/**
 * Starts a new session and keeps those of other accounts. Ends the person's earlier session here, and sessions beyond
 * the limit.
 */
const start = async (
  exchange: Exchange,
  who: { userId: string; accessId?: string | null; began?: Began | null },
): Promise<void> => {
  const { app, request } = exchange;
  const sessions = await findSessions(app, heldTokens(app, request));
  const others = sessions
    .filter((each) => each.who.userId !== who.userId)
    .slice(0, MAX_ACCOUNTS - 1);
  const kept = others.map(({ token }) => token);
  const token = await startSession(app, who.userId, {
    ip: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    replaces: heldTokens(app, request).filter((each) => !kept.includes(each)),
    ...(who.accessId && { accessId: who.accessId }),
    began: who.began ?? null,
  });
  keepSessions(exchange, [token, ...kept]);
};

/** Signs in a person who has proved who they are; `began` says how a provider did. */
export const signIn = async (exchange: Exchange, who: Known, began: Began | null = null) => {
  const { app, request, reply } = exchange;
  await start(exchange, { userId: who.userId, began });
  rememberBrowser(exchange, who);
  if (cookie(app, request, "sign_up")) reply.clearCookie(cookieName(app, "sign_up"), options(app));
};

/**
 * Signs in to an account that the one in use may use without its password (identities/); returns null where there is
 * none.
 */
const enter = async (exchange: Exchange, accountId: string): Promise<SignedIn | null> => {
  const { app, request } = exchange;
  const current = await visitor(app, request);
  const who = current && mayUsePages(current) ? await entered(app, current, accountId) : null;
  if (who && mayUseRights(who)) await start(exchange, who);
  return who;
};

/**
 * Returns the other accounts that can be switched to: those that are signed in here, and `linked` ones that need no
 * password.
 */
export const switchable = async (
  app: App,
  request: FastifyRequest,
): Promise<{ others: string[]; linked: string[] }> => {
  const current = await visitor(app, request);
  const [sessions, access] = await Promise.all([
    otherAccounts(app, request),
    current ? accessFrom(app, current) : [],
  ]);
  const others = sessions.map(({ who }) => who.accountId);
  const linked = access.map(({ account_id }) => account_id).filter((id) => !others.includes(id));
  return { others, linked };
};

/** Switches to another account that is signed in here or needs no password; returns null where there is none. */
export const switchTo = async (exchange: Exchange, accountId: string): Promise<SignedIn | null> => {
  const { app, request } = exchange;
  const sessions = await findSessions(app, heldTokens(app, request));
  const session = sessions.find(({ who }) => who.accountId === accountId);
  if (!session) return enter(exchange, accountId);
  keepSessions(exchange, [
    session.token,
    ...sessions.filter((each) => each !== session).map(({ token }) => token),
  ]);
  return session.who;
};

/** Ends the session of one account of this browser; returns whether others continue. */
export const leave = async (exchange: Exchange, accountId: string): Promise<boolean> => {
  const { app, request } = exchange;
  const sessions = await findSessions(app, heldTokens(app, request));
  const left = sessions.filter(({ who }) => who.accountId === accountId);
  const kept = sessions.filter((each) => !left.includes(each)).map(({ token }) => token);
  await endSessions(
    app,
    left.map(({ token }) => token),
  );
  keepSessions(exchange, kept);
  return kept.length > 0;
};

/** Returns the token of the request's session; null when nobody is signed in. */
export const sessionToken = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session");

/** Windows of a browser whose sign-ins may be under way at providers at once. */
const MAX_UNDER_WAY = 20;

/** Returns the tokens of what is under way at providers, the newest first. */
export const ssoTokens = (app: App, request: FastifyRequest): string[] =>
  (cookie(app, request, "sso") ?? "").split(".").filter(Boolean).slice(0, MAX_UNDER_WAY);

/** Keeps the first of these tokens, which may be of several windows. */
export const keepSsoTokens = (app: App, reply: FastifyReply, tokens: readonly string[]): void => {
  const value = tokens.slice(0, MAX_UNDER_WAY).join(".");
  reply.setCookie(cookieName(app, "sso"), value, { ...options(app), maxAge: ATTEMPT_SECONDS });
};

/** Seconds after the password in which the code may be entered. */
export const STEP_SECONDS = 600;

export const setStep = (app: App, reply: FastifyReply, token: string): void => {
  reply.setCookie(cookieName(app, "step"), token, { ...options(app), maxAge: STEP_SECONDS });
};

export const stepToken = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "step");

export const clearStep = (app: App, reply: FastifyReply): void => {
  reply.clearCookie(cookieName(app, "step"), options(app));
};

/** Ends the sessions of all accounts of this browser. */
export const signOut = async (exchange: Exchange) => {
  const { app, request } = exchange;
  const tokens = heldTokens(app, request);
  if (tokens.length > 0) await endSessions(app, tokens);
  keepSessions(exchange, []);
};

const newVisits = new WeakMap<FastifyRequest, string>();

/** Returns the cookie of the browser: that of the session, or a visitor's. */
export const browserOf = (app: App, request: FastifyRequest): string | null =>
  cookie(app, request, "session") ?? cookie(app, request, "visit");

/** Works as `browserOf`; sets a visitor's cookie if there is none. */
export const ensureBrowser = (app: App, request: FastifyRequest, reply: FastifyReply): string => {
  const present = browserOf(app, request) ?? newVisits.get(request);
  if (present) return present;
  const value = randomBytes(32).toString("base64url");
  newVisits.set(request, value);
  reply.setCookie(cookieName(app, "visit"), value, options(app));
  return value;
};

/** Returns the token of a form, bound to the session or to a visitor's cookie. */
export const formToken = (app: App, request: FastifyRequest, reply: FastifyReply): string =>
  makeFormToken(app, ensureBrowser(app, request, reply));

/** Returns the same token for documents of the client; empty where the browser has no cookie. */
export const formTokenOf = (app: App, request: FastifyRequest): string => {
  const value = browserOf(app, request);
  return value ? makeFormToken(app, value) : "";
};

const signUpMark = (app: App, userId: string): string =>
  formDigest(app, `sign-up:${userId}`).toString("base64url");

/** Seconds after which a mail leads to nothing that was wanted before, such as to let an app in; its characters. */
const [GOAL_SECONDS, MAX_GOAL] = [86_400, 2000];

/** Keeps the path to which this browser goes on after the link of a mail. */
export const keepGoal = (app: App, reply: FastifyReply, path: string | null): void => {
  if (path === null || path.length > MAX_GOAL) return;
  reply.setCookie(cookieName(app, "goal"), path, { ...options(app), maxAge: GOAL_SECONDS });
};

/** Notes that this browser knows the password of an account whose address awaits confirmation, and where to go then. */
export const rememberSignUp = (
  app: App,
  reply: FastifyReply,
  userId: string,
  goal: string | null,
): void => {
  keepGoal(app, reply, goal);
  const maxAge = CONFIRM_DAYS * 86_400;
  const value = signUpMark(app, userId);
  reply.setCookie(cookieName(app, "sign_up"), value, { ...options(app), maxAge });
};

/** Returns the path that was kept, once. */
export const takeGoal = ({ app, request, reply }: Exchange): string | null => {
  const path = cookie(app, request, "goal");
  if (path) reply.clearCookie(cookieName(app, "goal"), options(app));
  return path;
};

/** Returns whether `rememberSignUp` noted this account in this browser. */
export const isSignUpOf = (app: App, request: FastifyRequest, userId: string): boolean =>
  cookie(app, request, "sign_up") === signUpMark(app, userId);

const sentToken = ({ body }: FastifyRequest): unknown =>
  ((body ?? {}) as Record<string, unknown>)["form_token"];

const isMadeFor = (app: App, request: FastifyRequest, value: string | null): boolean =>
  value !== null && isFormToken(app, value, sentToken(request));

/** Whether the form was made for this browser while nobody was signed in. */
export const isFormOfVisit = (app: App, request: FastifyRequest): boolean =>
  isMadeFor(app, request, cookie(app, request, "visit"));

/** Throws Forbidden unless the form was made by these pages for this browser and the account that is current in it. */
export const checkForm = (app: App, request: FastifyRequest): void => {
  if (isMadeFor(app, request, browserOf(app, request))) return;
  const isOther = otherTokens(app, request).some((token) => isMadeFor(app, request, token));
  throw new Forbidden(says(isOther ? "form.other_account" : "form.expired"));
};
