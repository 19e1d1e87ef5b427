// The frame of the public pages: the header, which knows who is signed in, and the footer.

import { fileUrl } from "../platform/storage/index.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { page, sendPage } from "../platform/http/page.ts";
import type { Page } from "../platform/http/page.ts";
import { html } from "../platform/text/html.ts";
import type { Html, HtmlValue } from "../platform/text/html.ts";
import type { SignedIn } from "../domain/people/sign-in.ts";
import type { Details } from "../domain/instance/details.ts";
import { formField, visitor } from "../domain/people/pages/cookies.ts";

export const SIGN_IN = "/auth/sign_in";
export const SIGN_UP = "/auth/sign_up";
const ACCOUNT = "/auth/account";

/** What a public page says; the frame is put around it when it is sent. */
export type PublicPage = Pick<Page, "title" | "head" | "noindex"> & {
  details: Details;
  status?: number;
  /** A function where people who are signed in see something else. */
  body: HtmlValue | ((isSignedIn: boolean) => HtmlValue);
};

/** Short: what was deleted or hidden must not be shown for long by caches between. */
export const SHARED = "max-age=15, public, stale-while-revalidate=30";

const footer = (app: App, { hasTerms }: Details): Html =>
  html`${app.config.site.localDomain} is powered by Rookery, free software.
    <a href="/about">About</a> ·
    <a href="/privacy-policy">Privacy</a
    >${hasTerms && html` · <a href="/terms-of-service">Terms</a>`}`;

/** From any page but the front page, signing in leads back to it. */
const signInPath = ({ url }: FastifyRequest): string =>
  url === "/" ? SIGN_IN : `${SIGN_IN}?${new URLSearchParams({ return_to: url })}`;

const visitorNav = (request: FastifyRequest): Html =>
  html`<a href="/about">About</a> <a href="${signInPath(request)}">Sign in</a>`;

const memberNav = (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn): Html => {
  const { site } = app.config;
  const avatar = who.avatarKey
    ? fileUrl(site, who.avatarKey)
    : `${site.origin}/avatars/missing.png`;
  return html`<a class="member" href="/@${who.username}"
      ><img class="avatar" src="${avatar}" alt="" /><span
        >${who.displayName.trim() || who.username}</span
      ></a
    >
    <a href="${ACCOUNT}">Settings</a>
    <form method="post" action="/auth/sign_out">
      ${formField(app, request, reply)}
      <button class="link-button">Sign out</button>
    </form>`;
};

/**
 * Sends a public page with the header of whoever asks. Only what nobody signed in has asked for may
 * be kept by caches, apart by their cookies.
 */
export const sendPublicPage = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { details, body, status = 200, ...given }: PublicPage,
  cacheControl = SHARED,
): Promise<FastifyReply> => {
  const who = await visitor(app, request);
  const document = page(app, {
    site: details.title,
    nav: who ? memberNav(app, request, reply, who) : visitorNav(request),
    footer: footer(app, details),
    lang: "en",
    body: typeof body === "function" ? body(who !== null) : body,
    ...given,
  });
  reply.header("vary", "Accept, Cookie");
  return sendPage(reply, document, { status, media: "any", ...(!who && { cacheControl }) });
};
