// The building blocks of the pages.

import type { FastifyReply } from "fastify";
import type { App } from "../../../platform/app.ts";
import { TooManyRequests, Unprocessable } from "../../../platform/errors.ts";
import { OverLimit } from "../../../platform/http/rate-limit.ts";
import { page, sendPage } from "../../../platform/http/page.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../../platform/text/html.ts";
import { getSetting } from "../../settings/settings.ts";

export type Faults = Record<string, string>;

export type Field = {
  name: string;
  /** Where a page has several fields of the name. */
  id?: string;
  label: string;
  type?: "text" | "email" | "password" | "date" | "textarea";
  value?: string;
  hint?: string;
  fault?: string | undefined;
  autocomplete?: string;
  maxlength?: number;
  minlength?: number;
  optional?: boolean;
  autofocus?: boolean;
  inputmode?: "numeric" | "text";
  /** Shown after the input: `@server`. */
  suffix?: string;
};

const idOf = ({ id, name }: Field): string => id ?? name;

const attributes = (field: Field): Html => {
  const id = idOf(field);
  const about = [field.hint && `${id}-hint`, field.fault && `${id}-fault`];
  const described = about.filter(Boolean).join(" ");
  return html`id="${id}" name="${field.name}" ${!field.optional && raw("required ")}
  ${field.autofocus && raw("autofocus ")} ${field.fault && raw('aria-invalid="true" ')}
  ${described && html`aria-describedby="${described}" `}
  ${field.autocomplete && html`autocomplete="${field.autocomplete}" `}
  ${field.inputmode && html`inputmode="${field.inputmode}" `}
  ${field.minlength && html`minlength="${field.minlength}" `}
  ${field.maxlength && html`maxlength="${field.maxlength}" `}`;
};

const control = (field: Field): Html => {
  if (field.type === "textarea") {
    return html`<textarea ${attributes(field)}>${field.value}</textarea>`;
  }
  const plain = ["username", "login", "code"].includes(field.name);
  const input = html`<input
    type="${field.type ?? "text"}"
    value="${field.value}"
    ${plain && raw('autocapitalize="none" autocorrect="off" spellcheck="false" ')}
    ${attributes(field)}
  />`;
  return field.suffix
    ? html`<div class="suffixed">${input}<span>${field.suffix}</span></div>`
    : input;
};

/** A labelled input with its hint and its fault. */
export const inputField = (field: Field): Html =>
  html`<div class="field">
    <label for="${idOf(field)}">${field.label}</label>
    ${control(field)}
    ${field.hint && html`<p class="hint" id="${idOf(field)}-hint">${field.hint}</p>`}
    ${field.fault && html`<p class="fault" id="${idOf(field)}-fault">${field.fault}</p>`}
  </div>`;

/** A radio button with its label. */
export const radio = (name: string, value: string, label: HtmlValue, on: boolean): Html =>
  html`<div class="check">
    <input
      type="radio"
      id="${name}-${value}"
      name="${name}"
      value="${value}"
      ${on && raw("checked ")}
    />
    <label for="${name}-${value}">${label}</label>
  </div>`;

/** Lets password managers know whose password a form is about; hidden from people. */
export const usernameHint = (username: string): Html =>
  html`<input
    type="text"
    name="username"
    autocomplete="username"
    value="${username}"
    readonly
    hidden
  />`;

export const notice = (text: HtmlValue, kind: "" | "bad" | "good" = ""): Html =>
  html`<p class="notice ${kind}" role="${kind === "bad" ? "alert" : "status"}">${text}</p>`;

export type AuthPage = {
  title: string;
  body: HtmlValue;
  below?: HtmlValue;
  status?: number;
  /** The path of one of the server's scripts; most pages have none. */
  script?: string;
  /** The page has the widget of the captcha, a script of its service. */
  captcha?: boolean;
  /** As in PageHeaders. */
  media?: "own" | "any";
};

const CAPTCHA_SCRIPT = "https://js.hcaptcha.com/1/api.js";

/** The server's title as set; the configured one where it cannot be read: errors are pages, too. */
const siteTitle = (app: App): Promise<string> => {
  const { title } = app.config.instance;
  return getSetting(app, "title", title).catch(() => title);
};

/** A page with one card; search engines do not index it. */
export const sendCard = async (
  app: App,
  reply: FastifyReply,
  given: AuthPage,
): Promise<FastifyReply> => {
  const body = html`<section class="card">
      <h1>${given.title}</h1>
      ${given.body}
    </section>
    ${given.below && html`<p class="below">${given.below}</p>`}`;
  const source = given.captcha ? CAPTCHA_SCRIPT : given.script;
  const head = source && html`<script src="${source}" defer></script>`;
  const site = await siteTitle(app);
  const { title } = given;
  const document = page(app, { title, site, body, head, narrow: true, noindex: true });
  const headers = {
    status: given.status ?? 200,
    script: given.script !== undefined,
    captcha: given.captcha ?? false,
    media: given.media ?? "own",
  };
  return sendPage(reply, document, headers);
};

/** Redirects to another page: 302, as after a form. */
export const goTo = (reply: FastifyReply, location: string): FastifyReply =>
  reply
    .code(302)
    .header("location", location)
    .header("cache-control", "private, no-store")
    .type("text/html; charset=utf-8")
    .send("");

/** As in the `details` of a 422. */
type FieldError = { error: string; description: string };

/** The faults of a form by field, each as a sentence; null for any other error. */
export const faultsOf = (error: unknown): Faults | null => {
  if (!(error instanceof Unprocessable)) return null;
  const details = error.details?.["details"] as Record<string, FieldError[]> | undefined;
  if (!details) return null;
  const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return Object.fromEntries(
    Object.entries(details).map(([field, found]) => [
      field,
      // An empty field needs no second message.
      (found[0]?.error === "ERR_BLANK" ? found.slice(0, 1) : found)
        .map(({ description }) => sentence(description))
        .join(" "),
    ]),
  );
};

/** "in 12 minutes", rounded up. */
const inMinutes = (seconds: number): string => {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return "in a minute";
  if (minutes < 60) return `in ${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "in an hour" : `in ${hours} hours`;
};

/** When there may be another attempt. */
export const againText = (error: TooManyRequests): string =>
  error instanceof OverLimit
    ? `Try again ${inMinutes(error.retryAfter)}`
    : "Try again in a few minutes";

/** What a person reads of an error that they can do something about. */
export const errorMessage = (error: Error): string =>
  error instanceof TooManyRequests ? `Too many attempts. ${againText(error)}.` : error.message;

/** A path on this server to return to after sign-in; null for anything else (no open redirect). */
export const ownPath = (app: App, text: string | undefined): string | null => {
  if (!text || !/^\/(?!\/)[\x21-\x7e]*$/.test(text) || text.includes("\\")) return null;
  const { origin } = app.config.site;
  return URL.canParse(text, origin) && new URL(text, origin).origin === new URL(origin).origin
    ? text
    : null;
};
