// Provides the building blocks of the pages.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { No, Part, Words } from "../../../../../web/src/served/part-pages.ts";
import type { Notice } from "../../../../../web/src/served/pages.ts";
import type { App } from "../../../../platform/app.ts";
import { ChangedSince } from "../../../../platform/drawn.ts";
import { DomainError, Forbidden, TooManyRequests } from "../../../../platform/errors.ts";
import type { Meaning } from "../../../../platform/errors.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import { faultsOf } from "../../../../platform/http/field-faults.ts";
import type { Faults } from "../../../../platform/http/field-faults.ts";
import { isInPlace } from "../../../../platform/http/fault-page.ts";
import { headersOf } from "../../../../platform/http/http-error.ts";
import { pageHeaders } from "../../../../platform/http/page.ts";
import type { Key, Say, Texts } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import type { FramedPage } from "./framed.ts";
import { textsOf } from "./texts.ts";

/**
 * Why a form was refused: for all of it, or by field. `sent` is a form of another request, which nothing is wrong with.
 */
export type Refusal = {
  status: number;
  problem?: string;
  faults?: Faults;
  sent?: FramedPage["sent"];
  /** Whether what it shows was saved elsewhere since it was drawn. */
  isStale?: boolean;
};

/** The context that handlers of these pages get, and pass on. */
export type CardContext = Texts & {
  app: App;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Set where a refused form led to the page, which shows it again. */
  refused?: Refusal | undefined;
};

/** Makes handlers of pages for everybody. */
export const asAnybody =
  (app: App) =>
  (handle: (context: CardContext) => FastifyReply | Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    handle({ ...textsOf(request), app, request, reply });

const sayWords = (t: Say, words: Words): string => {
  if (typeof words === "string") return t(words as Key);
  return "plain" in words ? words.plain : t(words[0] as Key, words[1]);
};

/** A page of the server, without its frame. */
export type ServedPage = {
  title: Words;
  parts: readonly (Part | No)[];
  /** Messages of `?done=…`. */
  done?: Record<string, Key>;
  /** Says something else at the top. */
  notice?: Notice | undefined;
  status?: number | undefined;
  /** Path of one of the server's scripts; most pages have none. */
  script?: string | undefined;
  /** Where its head leads back to, if that is not the page of settings above it. */
  back?: string | undefined;
};

/** Sentences about what forms did, which `?done=…` may name on any page. */
export const DONE_SENTENCES = new Set<Key>();

/** Returns the fixed sentence for what was just done, which `?done=…` names; never text from the URL. */
const doneOf = (request: FastifyRequest, sentences: Record<string, Key>): Key | undefined => {
  const { done = "" } = readTexts(request.query);
  if (DONE_SENTENCES.has(done as Key)) return done as Key;
  return Object.hasOwn(sentences, done) ? sentences[done] : undefined;
};

/** Sends a page in the frame of the client, of the staff, or as a card, with what a refused form says. */
export const sendServed = (
  { request, reply, t, refused }: CardContext,
  { title, done = {}, status, ...page }: ServedPage,
  around: Pick<FramedPage, "card" | "staff"> = {},
): Promise<FastifyReply> => {
  const said = doneOf(request, done);
  const good = said && ({ text: t(said), kind: "good" } as const);
  return reply.server.sendFramed(reply, {
    title: sayWords(t, title),
    notice: refused?.problem === undefined ? good : { text: refused.problem, kind: "bad" },
    ...page,
    status: refused?.status ?? status ?? 200,
    faults: refused?.faults,
    isStale: refused?.isStale,
    sent: refused?.sent,
    ...around,
  });
};

export type AuthPage = ServedPage & {
  /** Whether the page has the widget of the captcha, a script of its service. */
  captcha?: boolean;
  /** Which media the page may load, as in PageNeeds. */
  media?: "own" | "any";
};

const CAPTCHA_SCRIPT = "https://js.hcaptcha.com/1/api.js";

/** Sends a page with one card; search engines do not index it. */
export const sendCard = (
  context: CardContext,
  { script, captcha = false, media = "own", ...page }: AuthPage,
): Promise<FastifyReply> => {
  const card = pageHeaders(context.app, { script: true, captcha, media });
  return sendServed(context, { ...page, script: captcha ? CAPTCHA_SCRIPT : script }, { card });
};

/** Redirects to another page: 302, as after a form; a script that sent the form gets the address. */
export const goTo = (reply: FastifyReply, location: string): FastifyReply => {
  reply.header("cache-control", "private, no-store");
  if (isInPlace(reply.request)) return reply.send({ location });
  return reply.type("text/html; charset=utf-8").redirect(location);
};

/** Refusals that say what to do instead, so that they are shown where the form is. */
const SHOWN: readonly Meaning[] = ["malformed", "conflict", "too_large", "invalid", "too_many"];

const isShown = (error: unknown): error is DomainError =>
  error instanceof DomainError &&
  (SHOWN.includes(error.meaning) || (error instanceof Forbidden && error.said !== undefined));

/** Returns an error's text for the person who filled in the form. */
export const problemOf = (t: Say, error: DomainError): string =>
  formErrorText(t, error).replace(/^Validation failed: /, "");

/**
 * Returns what the form says that is shown again; a refusal that names no field is about `field`, or the whole form.
 * Throws errors that have pages of their own.
 */
export const refusalOf = ({ reply, t }: CardContext, error: unknown, field?: string): Refusal => {
  if (!isShown(error)) throw error;
  const problem = problemOf(t, error);
  if (error instanceof ChangedSince) return { status: 422, problem, isStale: true };
  if (error instanceof TooManyRequests) {
    reply.headers(headersOf(error));
    return { status: 429, problem };
  }
  const [status, about] = error instanceof Forbidden ? [403, error.field] : [422, field];
  const faults = faultsOf(t, error) ?? (about === undefined ? null : { [about]: problem });
  return faults ? { status, faults } : { status, problem };
};

/** Makes the handler of a form that is shown again where it is refused (refusalOf), unless a script still shows it. */
export const refusable =
  <Context extends CardContext>(
    take: (context: Context) => Promise<FastifyReply>,
    show: (context: Context) => Promise<FastifyReply>,
    field?: string,
  ) =>
  async (context: Context): Promise<FastifyReply> => {
    try {
      return await take(context);
    } catch (error) {
      if (isInPlace(context.request)) throw error;
      return show({ ...context, refused: refusalOf(context, error, field) });
    }
  };

/** Returns the path of the sign-in, or of a page that leads there, from which people go on to `returnTo`. */
export const pathTo = (path: string, returnTo: string | null, mode?: "force" | "local"): string => {
  const query = new URLSearchParams(mode && { [mode]: "1" });
  if (returnTo) query.set("return_to", returnTo);
  return query.size > 0 ? `${path}${path.includes("?") ? "&" : "?"}${query}` : path;
};

/** `force` shows the page also to who is signed in. */
export const signInPath = (returnTo: string | null, mode?: "force"): string =>
  pathTo("/auth/sign_in", returnTo, mode);

/** Returns a path on this server to return to after sign-in; null for anything else (no open redirect). */
export const ownPath = (app: App, text: string | undefined): string | null => {
  if (!text || !/^\/(?!\/)[\x21-\x7e]*$/.test(text) || text.includes("\\")) return null;
  const { origin } = app.config.site;
  return URL.canParse(text, origin) && new URL(text, origin).origin === new URL(origin).origin
    ? text
    : null;
};

/** Returns the page that people want after the sign-in, as the query or the form says. */
export const goalOf = ({ app, request: { query, body } }: CardContext): string | null =>
  ownPath(app, { ...readTexts(query), ...readTexts(body) }["return_to"]);
