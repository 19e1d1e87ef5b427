// A page that the server renders: the document around a body, and the headers that keep it safe.
// Pages work without script (passkeys alone need one) and load nothing from elsewhere, except pictures where a page says so.

import type { FastifyReply } from "fastify";
import type { App } from "../app.ts";
import { html, raw } from "../text/html.ts";
import type { Html, HtmlValue } from "../text/html.ts";
import { BIRD, ICON_PATH, STYLE_PATH } from "./style.ts";

export type Page = {
  /** Of the page alone; the server's title is added. Empty: the server's title only. */
  title: string;
  /** The server's title, where a setting stands over the configuration. */
  site?: string;
  body: HtmlValue;
  /** What else belongs into the head: OpenGraph, alternate links. */
  head?: HtmlValue;
  /** Links or forms at the right of the header. */
  nav?: HtmlValue;
  footer?: HtmlValue;
  lang?: string;
  /** One small column: forms. */
  narrow?: boolean;
  /** Keep search engines away. */
  noindex?: boolean;
};

const header = (app: App, page: Page): Html =>
  html`<header class="site-header">
    <nav>
      <a class="site-name" href="/"
        ><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${BIRD}" /></svg
        >${page.site ?? app.config.instance.title}</a
      >
      ${page.nav && html`<div class="site-links">${page.nav}</div>`}
    </nav>
  </header>`;

/** The whole document, from the doctype to the end. */
export const page = (app: App, given: Page): string => {
  const site = given.site ?? app.config.instance.title;
  const title = given.title ? `${given.title} - ${site}` : site;
  return String(
    html`<!doctype html>
      <html lang="${given.lang ?? "en"}">
        <head>
          <meta charset="utf-8" />
          <title>${title}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          ${given.noindex && raw('<meta name="robots" content="noindex" />')}
          <link rel="stylesheet" href="${STYLE_PATH}" />
          <link rel="icon" href="${ICON_PATH}" type="image/svg+xml" />
          ${given.head}
        </head>
        <body>
          ${header(app, given)}
          <main class="${given.narrow ? "narrow" : ""}">${given.body}</main>
          <footer class="site-footer">${given.footer ?? app.config.site.localDomain}</footer>
        </body>
      </html> `,
  );
};

export type PageHeaders = {
  status?: number;
  /** "own": from here only; "any": pictures and films of other servers too. */
  media?: "own" | "any";
  /** The page brings a script of ours. */
  script?: boolean;
  /** Pages elsewhere may show it in a frame. */
  framed?: boolean;
  /** Default: never kept by anybody. */
  cacheControl?: string;
};

// No `form-action`: browsers apply it to the redirect after a form, and consent must lead back to
// the app. No Cross-Origin-Opener-Policy: a sign-in window has to keep its opener.
const policy = (media: "own" | "any", script: boolean, framed: boolean): string => {
  const from = media === "any" ? "'self' https: http:" : "'self'";
  return `default-src 'none'; ${script ? "script-src 'self'; " : ""}style-src 'self'; img-src ${from}; media-src ${from}; base-uri 'none'; frame-ancestors ${framed ? "*" : "'none'"}`;
};

/** Sends a page made by `page` with a strict Content-Security-Policy. */
export const sendPage = (
  reply: FastifyReply,
  document: string,
  {
    status = 200,
    media = "own",
    script = false,
    framed = false,
    cacheControl = "private, no-store",
  }: PageHeaders = {},
): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy(media, script, framed),
      "cache-control": cacheControl,
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      ...(!framed && { "x-frame-options": "DENY" }),
    })
    .send(document);
