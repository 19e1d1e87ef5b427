// The security headers of pages whose body the server draws. They work without scripts (only passkeys need one), have
// those of this server, and load nothing from other servers, except media where a page allows it.

import type { App } from "../app.ts";

/** Path of the manifest of the app that a browser may install (pages/manifest.ts). */
export const MANIFEST_PATH = "/manifest.json";

/** What a page needs that others must not have. */
export type PageNeeds = {
  /** "own" allows images and videos of this server only, "any" those of other servers too. */
  media?: "own" | "any";
  /** True when the page has a script of this server. */
  script?: boolean;
  /** True when the page has the widget of hCaptcha. */
  captcha?: boolean;
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
  { script, captcha }: Record<"script" | "captcha", boolean>,
): string => {
  const from = media === "any" ? mediaSources(app) : "'self'";
  const widget = captcha ? " https://hcaptcha.com https://*.hcaptcha.com" : "";
  const scripts = script || captcha ? `script-src 'self'${widget}; ` : "";
  const frames = captcha ? `frame-src${widget}; connect-src${widget}; ` : "";
  return `default-src 'none'; ${scripts}${frames}style-src 'self'${widget}; manifest-src 'self'; img-src ${from}; media-src ${from}; base-uri 'none'; frame-ancestors 'none'`;
};

/** Returns the headers of a page with a strict Content-Security-Policy. */
export const pageHeaders = (
  app: App,
  { media = "own", script = false, captcha = false }: PageNeeds = {},
): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy(app, media, { script, captcha }),
  "cache-control": "private, no-store",
  "permissions-policy": PERMISSIONS_POLICY,
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
});
