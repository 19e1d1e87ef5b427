// Serves the pages that change the email address and the password of a signed-in person.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { askForEmail, giveUpEmail, pendingEmail, takeNewEmail } from "../change-email.ts";
import { findPerson } from "../sign-in.ts";
import { changePassword } from "../change-password.ts";
import { formField, rememberBrowser, sessionToken } from "./cookies.ts";
import {
  SETTINGS,
  askedAsMember,
  doneNote,
  hasPassword,
  passwordField,
  sendSettings,
} from "./member.ts";
import type { PageContext } from "./member.ts";
import {
  faultsOf,
  goTo,
  inputField,
  newPasswordField,
  sendCard,
  usernameHint,
} from "./components.ts";
import type { Faults } from "./components.ts";
import { textsOf } from "./texts.ts";

const MAILS_PER_PERSON: Limit = {
  name: "email-change:user",
  by: "person",
  count: 5,
  seconds: 1800,
};
const LINKS_PER_ADDRESS: Limit = {
  name: "email-change:ip",
  by: "address",
  count: 25,
  seconds: 300,
};

const DONE = { sent: "email.done_sent", kept: "email.done_kept" } as const;

type Shown = { faults?: Faults; email?: string; status?: number };

const waiting = ({ app, request, reply, t }: PageContext, email: string) =>
  html`<div class="notice">
    <p>${sentence(t, "email.sent_to", { email: html`<strong>${email}</strong>` })}</p>
    <form method="post" action="/settings/email/cancel">
      ${formField(app, request, reply)}
      <button class="link-button">${t("email.keep")}</button>
    </form>
  </div>`;

const sendEmail = async (context: PageContext, shown: Shown = {}) => {
  const { app, request, reply, who, t } = context;
  const pending = await pendingEmail(app, who.userId);
  return sendSettings(reply, {
    title: t("email.title"),
    status: shown.status ?? 200,
    body: html`${doneNote(request, DONE)}
      <p>${sentence(t, "email.current", { email: html`<strong>${who.email}</strong>` })}</p>
      ${pending && waiting(context, pending)}
      <form method="post" action="/settings/email">
        ${formField(app, request, reply)}
        ${inputField({
          name: "email",
          label: t("email.new"),
          type: "email",
          autocomplete: "email",
          value: shown.email ?? "",
          fault: shown.faults?.["email"],
          hint: t("email.hint"),
        })}
        ${passwordField(t, shown.faults?.["current_password"])}
        <button class="button">${t("email.change")}</button>
      </form>`,
  });
};

const takeEmail = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  const refuse = (faults: Faults) => sendEmail(context, { email, faults, status: 422 });
  if (!(await hasPassword(app, request, who)))
    return refuse({ current_password: t("field.password_wrong") });
  await countAttempt(app, MAILS_PER_PERSON, who.userId);
  try {
    await askForEmail(app, who.userId, email);
  } catch (error) {
    const faults = faultsOf(t, error);
    if (!faults) throw error;
    return refuse(faults);
  }
  return goTo(reply, "/settings/email?done=sent");
};

const cancelEmail = async ({ app, reply, who }: PageContext) => {
  await giveUpEmail(app, who.userId);
  return goTo(reply, "/settings/email?done=kept");
};

/** Confirms by the link of the mail; works without a session, because it may be opened on another device. */
const confirmEmail = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const { t } = textsOf(request);
  const works = await takeNewEmail(app, readTexts(request.query)["token"] ?? "");
  return sendCard(app, reply, {
    title: t(works ? "email.changed" : "link.broken"),
    status: works ? 200 : 404,
    body: html`<p>${t(works ? "email.changed_text" : "email.unusable")}</p>
      <p>
        <a class="button" href="${works ? SETTINGS : "/settings/email"}">${t("email.settings")}</a>
      </p>`,
  });
};

const sendPassword = async ({ app, request, reply, who, t }: PageContext, faults: Faults = {}) =>
  sendSettings(reply, {
    title: t("password.title"),
    status: Object.keys(faults).length > 0 ? 422 : 200,
    body: html`<form method="post" action="/settings/password">
        ${formField(app, request, reply)} ${usernameHint(who.username)}
        ${passwordField(t, faults["current_password"])}
        ${newPasswordField(t, { fault: faults["password"] })}
        <button class="button">${t("password.change")}</button>
      </form>
      <p class="soft small">
        ${t("password.signed_out")}
        <a href="/auth/password/new">${t("password.forgot")}</a>
      </p>`,
  });

const takePassword = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const { password = "" } = readTexts(request.body);
  const refuse = (faults: Faults) => sendPassword(context, faults);
  if (!(await hasPassword(app, request, who)))
    return refuse({ current_password: t("field.password_wrong") });
  try {
    await changePassword(app, who.userId, password, sessionToken(app, request));
  } catch (error) {
    const faults = faultsOf(t, error);
    if (!faults) throw error;
    return refuse(faults);
  }
  const changed = await findPerson(app, who.userId);
  if (changed) rememberBrowser(app, request, reply, changed);
  return goTo(reply, `${SETTINGS}?done=password`);
};

export const credentialPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    "/settings/email",
    page((context) => sendEmail(context)),
  );
  server.post("/settings/email", page(takeEmail));
  server.post("/settings/email/cancel", page(cancelEmail));
  server.get("/settings/email/confirm", (request, reply) => confirmEmail(app, request, reply));
  server.get(
    "/settings/password",
    page((context) => sendPassword(context)),
  );
  server.post("/settings/password", page(takePassword));
};
