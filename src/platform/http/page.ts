// Draws a server-rendered page: the document around its body, and the security headers. Pages work without scripts
// (only passkeys need one) and load nothing from other servers, except media where a page allows it.

import type { FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { html, raw } from "../text/html.ts";
import type { Html, HtmlValue } from "../text/html.ts";
import { lookAttributes, lookOf } from "./look.ts";
import { ICON_PATH, LOGO_PATH, STYLE_PATH } from "./style.ts";

export type Page = {
  /** The page's title, to which the server's is added; empty for the server's title alone. */
  title: string;
  /** The server's title, where a setting overrides the configuration. */
  site?: string;
  body: HtmlValue;
  /** Further elements for the head: OpenGraph, alternate links. */
  head?: HtmlValue;
  /** Links or forms on the right of the header. */
  nav?: HtmlValue;
  footer?: HtmlValue;
  lang?: string;
  /** Draws a narrow column, for forms. */
  narrow?: boolean;
  /** Keeps search engines away. */
  noindex?: boolean;
};

const header = (app: App, page: Page): Html =>
  html`<header class="site-header">
    <nav>
      <a class="site-name" href="/"
        ><img
          src="${LOGO_PATH}"
          alt=""
          width="26"
          height="26"
        />${page.site ?? app.config.instance.title}</a
      >
      ${page.nav && html`<div class="site-links">${page.nav}</div>`}
    </nav>
  </header>`;

/** Returns the whole document, from the doctype to the end. */
export const page = (app: App, content: Page): string => {
  const site = content.site ?? app.config.instance.title;
  const title = content.title ? `${content.title} - ${site}` : site;
  return String(
    html`<!doctype html>
      <html lang="${content.lang ?? "en"}">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          ${content.noindex && raw('<meta name="robots" content="noindex" />')}
          <link rel="stylesheet" href="${STYLE_PATH}" />
          <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
          <link rel="manifest" href="${MANIFEST_PATH}" />
          ${content.head}
        </head>
        <body>
          ${header(app, content)}
          <main class="${content.narrow ? "narrow" : ""}">${content.body}</main>
          <footer class="site-footer">${content.footer ?? app.config.site.localDomain}</footer>
        </body>
      </html> `,
  );
};

/** Path of the manifest of the app that a browser may install (pages/manifest.ts). */
export const MANIFEST_PATH = "/manifest.json";

export type PageHeaders = {
  status?: number;
  /** "own" allows images and videos of this server only, "any" those of other servers too. */
  media?: "own" | "any";
  /** True when the page has a script of this server. */
  script?: boolean;
  /** True when the page has the widget of hCaptcha. */
  captcha?: boolean;
  /** True when other sites may show the page in a frame. */
  framed?: boolean;
  /** Never cached by default. */
  cacheControl?: string;
};

/** Pages need no permission of the device. */
export const PERMISSIONS_POLICY =
  "camera=(), microphone=(), geolocation=(), display-capture=(), midi=(), payment=(), serial=(), usb=()";

/**
 * Returns sources that media may be loaded from: a server on loopback also shows those of its neighbours, which have no
 * https.
 */
export const mediaSources = ({ config }: App): string =>
  config.site.https ? "'self' https:" : "'self' https: http:";

// `form-action` is left out, unlike on pages of the client: browsers apply it to the redirect after a form, and
// authorizing an app must redirect to the app. Cross-Origin-Opener-Policy is left out because the app's window has to
// stay the opener of a sign-in window.
const policy = (
  app: App,
  media: "own" | "any",
  { script, captcha, framed }: Record<"script" | "captcha" | "framed", boolean>,
): string => {
  const from = media === "any" ? mediaSources(app) : "'self'";
  const widget = captcha ? " https://hcaptcha.com https://*.hcaptcha.com" : "";
  const scripts = script || captcha ? `script-src 'self'${widget}; ` : "";
  const frames = captcha ? `frame-src${widget}; connect-src${widget}; ` : "";
  return `default-src 'none'; ${scripts}${frames}style-src 'self'${widget}; manifest-src 'self'; img-src ${from}; media-src ${from}; base-uri 'none'; frame-ancestors ${framed ? "*" : "'none'"}`;
};

/** Adds the theme that was chosen in this browser. */
const inLook = (reply: FastifyReply, document: string): string =>
  document.replace("<html", `<html${lookAttributes(lookOf(reply.request))}`);

/** Sends a page made by `page` with a strict Content-Security-Policy. */
export const sendPage = (
  app: App,
  reply: FastifyReply,
  document: string,
  {
    status = 200,
    media = "own",
    script = false,
    captcha = false,
    framed = false,
    cacheControl = "private, no-store",
  }: PageHeaders = {},
): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(app, media, { script, captcha, framed }),
      "cache-control": cacheControl,
      "permissions-policy": PERMISSIONS_POLICY,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      ...(!framed && { "x-frame-options": "DENY" }),
    })
    .send(framed ? document : inLook(reply, document));
