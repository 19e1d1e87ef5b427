// Serves the pages for a forgotten password: requesting a link by email, and choosing a new password with it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { RESET_HOURS, askForReset, readReset } from "../set-password.ts";
import { resetPassword } from "../change-password.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, rememberBrowser } from "./cookies.ts";
import { EMAIL, NEW_PASSWORD } from "./fields.ts";
import { faultsOf, goTo, sendCard } from "./components.ts";
import type { Faults } from "./components.ts";
import { textsOf } from "./texts.ts";

const MAILS_PER_ADDRESS: Limit = { name: "reset:ip", by: "address", count: 25, seconds: 300 };
const MAILS_PER_EMAIL: Limit = { name: "reset:email", by: "login", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "reset-use:ip", by: "address", count: 25, seconds: 300 };

const showAsk = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("sign_in.forgot"),
    parts: [
      { text: { say: "reset.ask_text" } },
      {
        form: {
          action: "/auth/password",
          fields: [{ ...EMAIL, hint: "reset.email_hint", autofocus: true }],
          submit: "reset.send",
        },
      },
      { below: [["/auth/sign_in", "sign_in.back"]] },
    ],
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
    title: textsOf(reply.request).t("mail.inbox"),
    parts: [
      { notice: { say: "reset.sent" }, kind: "good" },
      { text: { say: "reset.sent_text", values: { hours: RESET_HOURS } } },
      { text: { say: "reset.no_mail" }, kind: "soft small" },
      {
        below: [
          ["/auth/password/new", "reset.send_again"],
          ["/auth/sign_in", "sign_in.back"],
        ],
      },
    ],
  });

const sendUnusable = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("link.broken"),
    status: 404,
    parts: [
      { text: { say: "reset.unusable" } },
      { ways: [["/auth/password/new", "reset.new_link"]] },
    ],
  });

type Chosen = { token: string; username: string };

const sendChoose = (
  app: App,
  reply: FastifyReply,
  { token, username }: Chosen,
  faults: Faults = {},
) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("reset.choose"),
    faults,
    parts: [
      {
        form: {
          action: "/auth/password/edit",
          hidden: { reset_password_token: token },
          username,
          fields: [{ ...NEW_PASSWORD, autofocus: true }],
          submit: "reset.change",
        },
      },
      { text: { say: "reset.signed_out" }, kind: "soft small" },
    ],
  });

const showChoose = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const token = readTexts(request.query)["reset_password_token"] ?? "";
  const reset = await readReset(app, token);
  if (!reset) return sendUnusable(app, reply);
  return sendChoose(app, reply, { token, username: reset.username });
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
    return sendChoose(app, reply, { token, username: reset.username }, faults);
  }
  return goTo(reply, "/auth/sign_in?done=password");
};

export const resetPages = (server: Server, app: App): void => {
  server.get("/auth/password/new", async (_request, reply) => showAsk(app, reply));
  server.post("/auth/password", (request, reply) => takeAsk(app, request, reply));
  server.get("/auth/password/sent", async (_request, reply) => showSent(app, reply));
  server.get("/auth/password/edit", (request, reply) => showChoose(app, request, reply));
  server.post("/auth/password/edit", (request, reply) => takeChoose(app, request, reply));
};
