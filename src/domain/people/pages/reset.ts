// The pages for a forgotten password: asking for a link by email, and choosing a new password with it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { RESET_HOURS, askForReset, readReset } from "../set-password.ts";
import { resetPassword } from "../change-password.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, formField, rememberBrowser } from "./cookies.ts";
import { faultsOf, goTo, inputField, notice, sendCard, usernameHint } from "./parts.ts";
import type { Faults } from "./parts.ts";

const MAILS_PER_ADDRESS: Limit = { name: "reset:ip", by: "address", count: 25, seconds: 300 };
const MAILS_PER_EMAIL: Limit = { name: "reset:email", by: "login", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "reset-use:ip", by: "address", count: 25, seconds: 300 };

const SIGN_IN = html`<a href="/auth/sign_in">Back to sign-in</a>`;

const showAsk = (app: App, request: FastifyRequest, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "Forgot your password?",
    body: html`<p>We’ll email you a link to choose a new one.</p>
      <form method="post" action="/auth/password">
        ${formField(app, request, reply)}
        ${inputField({
          name: "email",
          label: "Email address",
          type: "email",
          autocomplete: "email",
          hint: "The address of your account.",
          autofocus: true,
        })}
        <button class="button">Send link</button>
      </form>`,
    below: SIGN_IN,
  });

const takeAsk = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  await countAttempt(app, MAILS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, MAILS_PER_EMAIL, writtenKey(email));
  await askForReset(app, email);
  return goTo(reply, "/auth/password/sent");
};

const showSent = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "Check your inbox",
    body: html`${notice("If there is an account with this address, we’ve sent it an email.", "good")}
      <p>Open the link in it to choose a new password. It expires in ${RESET_HOURS} hours.</p>
      <p class="soft small">
        No email after a few minutes? Check your spam folder, and make sure that you entered the
        right address.
      </p>`,
    below: html`<a href="/auth/password/new">Send again</a> · ${SIGN_IN}`,
  });

const sendUnusable = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "This link doesn’t work",
    status: 404,
    body: html`<p>It has expired, has already been used, or was replaced by a newer one.</p>
      <p><a class="button" href="/auth/password/new">Send a new link</a></p>`,
  });

type Shown = { token: string; username: string; faults: Faults; status?: number };

const sendChoose = (app: App, request: FastifyRequest, reply: FastifyReply, shown: Shown) =>
  sendCard(app, reply, {
    title: "Choose a new password",
    status: shown.status ?? 200,
    body: html`<form method="post" action="/auth/password/edit">
        ${formField(app, request, reply)}
        <input type="hidden" name="reset_password_token" value="${shown.token}" />
        ${usernameHint(shown.username)}
        ${inputField({
          name: "password",
          label: "New password",
          type: "password",
          autocomplete: "new-password",
          minlength: 8,
          maxlength: 72,
          hint: "At least 8 characters.",
          fault: shown.faults["password"],
          autofocus: true,
        })}
        <button class="button">Change password</button>
      </form>
      <p class="soft small">All your apps and browsers will be signed out.</p>`,
  });

const showChoose = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const token = readTexts(request.query)["reset_password_token"] ?? "";
  const found = await readReset(app, token);
  if (!found) return sendUnusable(app, reply);
  return sendChoose(app, request, reply, { token, username: found.username, faults: {} });
};

const takeChoose = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, TRIES_PER_ADDRESS, addressKey(request.ip));
  const { reset_password_token: token = "", password = "" } = readTexts(request.body);
  const found = await readReset(app, token);
  if (!found) return sendUnusable(app, reply);
  try {
    const userId = await resetPassword(app, token, password);
    const who = userId && (await findPerson(app, userId));
    if (!who) return sendUnusable(app, reply);
    // Whoever is guessing the password meanwhile must not keep them from using the new one.
    rememberBrowser(app, request, reply, who);
  } catch (error) {
    const faults = faultsOf(error);
    if (!faults) throw error;
    return sendChoose(app, request, reply, { token, ...found, faults, status: 422 });
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
