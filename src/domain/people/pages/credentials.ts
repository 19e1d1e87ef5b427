// The pages that change the email address and the password of somebody signed in.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { askForEmail, giveUpEmail, pendingEmail, takeNewEmail } from "../change-email.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { changePassword } from "../change-password.ts";
import { formField, rememberBrowser, sessionToken } from "./cookies.ts";
import {
  SETTINGS,
  PASSWORD_WRONG,
  asMember,
  doneNote,
  hasPassword,
  noteOf,
  passwordField,
  sendSettings,
} from "./member.ts";
import type { Note } from "./member.ts";
import { faultsOf, goTo, inputField, sendCard, usernameHint } from "./parts.ts";
import type { Faults } from "./parts.ts";

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

type Shown = { faults?: Faults; email?: string; status?: number; note?: Note | undefined };

const waiting = (app: App, request: FastifyRequest, reply: FastifyReply, email: string) =>
  html`<div class="notice">
    <p>
      We’ve sent an email to <strong>${email}</strong>. Open the link in it to start using this
      address.
    </p>
    <form method="post" action="/settings/email/cancel">
      ${formField(app, request, reply)}
      <button class="link-button">Keep my current address</button>
    </form>
  </div>`;

const sendEmail = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
  shown: Shown = {},
) => {
  const pending = await pendingEmail(app, who.userId);
  return sendSettings(reply, {
    title: "Email address",
    status: shown.status ?? 200,
    body: html`${noteOf(shown.note)}
      <p>Your current address is <strong>${who.email}</strong>.</p>
      ${pending && waiting(app, request, reply, pending)}
      <form method="post" action="/settings/email">
        ${formField(app, request, reply)}
        ${inputField({
          name: "email",
          label: "New email address",
          type: "email",
          autocomplete: "email",
          value: shown.email ?? "",
          fault: shown.faults?.["email"],
          hint: "We’ll send a confirmation link to this address.",
        })}
        ${passwordField(shown.faults?.["current_password"])}
        <button class="button">Change email address</button>
      </form>`,
  });
};

const takeEmail = async (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn) => {
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  const refuse = (faults: Faults) =>
    sendEmail(app, request, reply, who, { email, faults, status: 422 });
  if (!(await hasPassword(app, request, who))) return refuse({ current_password: PASSWORD_WRONG });
  await countAttempt(app, MAILS_PER_PERSON, who.userId);
  try {
    await askForEmail(app, who.userId, email);
  } catch (error) {
    const faults = faultsOf(error);
    if (!faults) throw error;
    return refuse(faults);
  }
  return goTo(reply, "/settings/email?done=sent");
};

const cancelEmail = async (app: App, reply: FastifyReply, who: SignedIn) => {
  await giveUpEmail(app, who.userId);
  return goTo(reply, "/settings/email?done=kept");
};

/** By the link of the mail; works without a session, as it may be opened on another device. */
const confirmEmail = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const works = await takeNewEmail(app, readTexts(request.query)["token"] ?? "");
  return sendCard(app, reply, {
    title: works ? "Email address changed" : "This link doesn’t work",
    status: works ? 200 : 404,
    body: works
      ? html`<p>Email about your account now goes to your new address.</p>
          <p><a class="button" href="${SETTINGS}">Go to your settings</a></p>`
      : html`<p>It has expired, has already been used, or another account has this address.</p>
          <p><a class="button" href="/settings/email">Go to your settings</a></p>`,
  });
};

const sendPassword = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
  faults: Faults = {},
) =>
  sendSettings(reply, {
    title: "Change your password",
    status: Object.keys(faults).length > 0 ? 422 : 200,
    body: html`<form method="post" action="/settings/password">
        ${formField(app, request, reply)} ${usernameHint(who.username)}
        ${passwordField(faults["current_password"])}
        ${inputField({
          name: "password",
          label: "New password",
          type: "password",
          autocomplete: "new-password",
          minlength: 8,
          maxlength: 72,
          hint: "At least 8 characters.",
          fault: faults["password"],
        })}
        <button class="button">Change password</button>
      </form>
      <p class="soft small">
        All your apps and other browsers will be signed out.
        <a href="/auth/password/new">Forgot your current password?</a>
      </p>`,
  });

const takePassword = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
) => {
  const { password = "" } = readTexts(request.body);
  const refuse = (faults: Faults) => sendPassword(app, request, reply, who, faults);
  if (!(await hasPassword(app, request, who))) return refuse({ current_password: PASSWORD_WRONG });
  try {
    await changePassword(app, who.userId, password, sessionToken(app, request));
  } catch (error) {
    const faults = faultsOf(error);
    if (!faults) throw error;
    return refuse(faults);
  }
  const changed = await findPerson(app, who.userId);
  if (changed) rememberBrowser(app, request, reply, changed);
  return goTo(reply, `${SETTINGS}?done=password`);
};

const DONE = {
  sent: "We’ve sent a confirmation link to the new address.",
  kept: "Your email address was not changed.",
};

export const credentialPages = (server: Server, app: App): void => {
  server.get(
    "/settings/email",
    asMember(app, (request, reply, who) =>
      sendEmail(app, request, reply, who, { note: doneNote(request, DONE) }),
    ),
  );
  server.post(
    "/settings/email",
    asMember(app, (request, reply, who) => takeEmail(app, request, reply, who)),
  );
  server.post(
    "/settings/email/cancel",
    asMember(app, (_request, reply, who) => cancelEmail(app, reply, who)),
  );
  server.get("/settings/email/confirm", (request, reply) => confirmEmail(app, request, reply));
  server.get(
    "/settings/password",
    asMember(app, (request, reply, who) => sendPassword(app, request, reply, who)),
  );
  server.post(
    "/settings/password",
    asMember(app, (request, reply, who) => takePassword(app, request, reply, who)),
  );
};
