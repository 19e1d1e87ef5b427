// The frame of the public pages: links at the top, what is below every page.

import type { App } from "../platform/app.ts";
import { page } from "../platform/http/page.ts";
import type { Page } from "../platform/http/page.ts";
import { html } from "../platform/text/html.ts";
import type { Html } from "../platform/text/html.ts";
import type { Details } from "../domain/instance/details.ts";

export const SIGN_IN = "/auth/sign_in";
export const SIGN_UP = "/auth/sign_up";

const footer = (app: App, { hasTerms }: Details): Html =>
  html`${app.config.site.localDomain} is powered by Rookery, free software.
    <a href="/about">About</a> ·
    <a href="/privacy-policy">Privacy</a
    >${hasTerms && html` · <a href="/terms-of-service">Terms</a>`}`;

/** A whole document; people who are signed in see the same as everybody. */
export const publicPage = (app: App, details: Details, given: Page): string =>
  page(app, {
    site: details.title,
    nav: html`<a href="/about">About</a> <a href="${SIGN_IN}">Sign in</a>`,
    footer: footer(app, details),
    lang: "en",
    ...given,
  });
