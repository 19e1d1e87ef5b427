// Serves the pages for a forgotten password: requesting a link by email, and choosing a new password with it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import type { Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { RESET_HOURS, askForReset, readReset } from "../set-password.ts";
import { resetPassword } from "../change-password.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, formField, rememberBrowser } from "./cookies.ts";
import {
  faultsOf,
  goTo,
  inputField,
  newPasswordField,
  notice,
  sendCard,
  usernameHint,
} from "./components.ts";
import type { Faults } from "./components.ts";
import { textsOf } from "./texts.ts";

const MAILS_PER_ADDRESS: Limit = { name: "reset:ip", by: "address", count: 25, seconds: 300 };
const MAILS_PER_EMAIL: Limit = { name: "reset:email", by: "login", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "reset-use:ip", by: "address", count: 25, seconds: 300 };

const signInLink = (t: Say): Html => html`<a href="/auth/sign_in">${t("sign_in.back")}</a>`;

const showAsk = (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("sign_in.forgot"),
    body: html`<p>${t("reset.ask_text")}</p>
      <form method="post" action="/auth/password">
        ${formField(app, request, reply)}
        ${inputField({
          name: "email",
          label: t("field.email"),
          type: "email",
          autocomplete: "email",
          hint: t("reset.email_hint"),
          autofocus: true,
        })}
        <button class="button">${t("reset.send")}</button>
      </form>`,
    below: signInLink(t),
  });
};

const takeAsk = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  await countAttempt(app, MAILS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, MAILS_PER_EMAIL, writtenKey(email));
  await askForReset(app, email);
  return goTo(reply, "/auth/password/sent");
};

const showSent = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("mail.inbox"),
    body: html`${notice(t("reset.sent"), "good")}
      <p>${t("reset.sent_text", { hours: RESET_HOURS })}</p>
      <p class="soft small">${t("reset.no_mail")}</p>`,
    below: html`<a href="/auth/password/new">${t("reset.send_again")}</a> · ${signInLink(t)}`,
  });
};

const sendUnusable = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("link.broken"),
    status: 404,
    body: html`<p>${t("reset.unusable")}</p>
      <p><a class="button" href="/auth/password/new">${t("reset.new_link")}</a></p>`,
  });
};

type Shown = { token: string; username: string; faults: Faults; status?: number };

const sendChoose = (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) => {
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("reset.choose"),
    status: shown.status ?? 200,
    body: html`<form method="post" action="/auth/password/edit">
        ${formField(app, request, reply)}
        <input type="hidden" name="reset_password_token" value="${shown.token}" />
        ${usernameHint(shown.username)}
        ${newPasswordField(t, { fault: shown.faults["password"], autofocus: true })}
        <button class="button">${t("reset.change")}</button>
      </form>
      <p class="soft small">${t("reset.signed_out")}</p>`,
  });
};

const showChoose = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const token = readTexts(request.query)["reset_password_token"] ?? "";
  const reset = await readReset(app, token);
  if (!reset) return sendUnusable(app, reply);
  return sendChoose(app, request, reply, { token, username: reset.username, faults: {} });
};

const takeChoose = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, TRIES_PER_ADDRESS, addressKey(request.ip));
  const { reset_password_token: token = "", password = "" } = readTexts(request.body);
  const reset = await readReset(app, token);
  if (!reset) return sendUnusable(app, reply);
  try {
    const userId = await resetPassword(app, token, password);
    const who = userId && (await findPerson(app, userId));
    if (!who) return sendUnusable(app, reply);
    // Remembers the browser, so that guesses by others meanwhile cannot stop the person from using the new password.
    rememberBrowser(app, request, reply, who);
  } catch (error) {
    const faults = faultsOf(textsOf(request).t, error);
    if (!faults) throw error;
    return sendChoose(app, request, reply, { token, ...reset, faults, status: 422 });
  }
  return goTo(reply, "/auth/sign_in?done=password");
};

export const resetPages = (server: Server, app: App): void => {
  server.get("/auth/password/new", async (request, reply) => showAsk(app, request, reply));
  server.post("/auth/password", (request, reply) => takeAsk(app, request, reply));
  server.get("/auth/password/sent", async (_request, reply) => showSent(app, reply));
  server.get("/auth/password/edit", (request, reply) => showChoose(app, request, reply));
  server.post("/auth/password/edit", (request, reply) => takeChoose(app, request, reply));
};
