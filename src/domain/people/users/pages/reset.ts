// Serves the pages for a forgotten password: requesting a link by email, and choosing a new password with it.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { RESET_HOURS, askForReset, readReset } from "../set-password.ts";
import { resetPassword } from "../change-password.ts";
import { checkEmail } from "../create.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import { checkForm, keepGoal, rememberBrowser, takeGoal } from "./cookies.ts";
import { EMAIL, NEW_PASSWORD, formOf } from "./fields.ts";
import { asAnybody, goTo, goalOf, pathTo, refusable, sendCard, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";

const MAILS_PER_ADDRESS: Limit = { name: "reset:ip", by: "address", count: 25, seconds: 300 };
const MAILS_PER_EMAIL: Limit = { name: "reset:email", by: "login", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "reset-use:ip", by: "address", count: 25, seconds: 300 };

const ASKED = [{ ...EMAIL, hint: "reset.email_hint", autofocus: true }] as const;

const showAsk = (context: CardContext) =>
  sendCard(context, {
    title: "sign_in.forgot",
    parts: [
      context.app.config.sso.only && { notice: { say: "reset.owners_only" } },
      { text: [{ say: "reset.ask_text" }, { say: "reset.none_yet" }] },
      formOf("/auth/password", "reset.send", ASKED, { hidden: { return_to: goalOf(context) } }),
      { below: [[signInPath(goalOf(context)), "sign_in.back"]] },
    ],
  });

const takeAsk = async (context: CardContext) => {
  const { app, request, reply } = context;
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  checkEmail(app, email);
  await countAttempt(app, MAILS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, MAILS_PER_EMAIL, writtenKey(email));
  await askForReset(app, email);
  keepGoal(app, reply, goalOf(context));
  return goTo(reply, pathTo("/auth/password/sent", goalOf(context)));
};

const showSent = (context: CardContext) =>
  sendCard(context, {
    title: "mail.inbox",
    parts: [
      { notice: { say: "reset.sent" }, kind: "good" },
      { text: { say: "reset.sent_text", values: { hours: RESET_HOURS } } },
      { text: { say: "reset.no_mail" }, kind: "soft small" },
      {
        below: [
          [pathTo("/auth/password/new", goalOf(context)), "reset.send_again"],
          [signInPath(goalOf(context)), "sign_in.back"],
        ],
      },
    ],
  });

const sendUnusable = (context: CardContext) =>
  sendCard(context, {
    title: "link.broken",
    status: 404,
    parts: [
      { text: { say: "reset.unusable" } },
      { ways: [["/auth/password/new", "reset.new_link"]] },
    ],
  });

const tokenIn = ({ body, query }: FastifyRequest): string =>
  readTexts(body ?? query)["reset_password_token"] ?? "";

const showChoose = async (context: CardContext) => {
  const token = tokenIn(context.request);
  const reset = await readReset(context.app, token);
  if (!reset) return sendUnusable(context);
  return sendCard(context, {
    title: "reset.choose",
    parts: [
      formOf("/auth/password/edit", "reset.change", [{ ...NEW_PASSWORD, autofocus: true }], {
        hidden: { reset_password_token: token },
        username: reset.username,
      }),
      { text: { say: "reset.signed_out" }, kind: "soft small" },
    ],
  });
};

const takeChoose = async (context: CardContext) => {
  const { app, request, reply } = context;
  checkForm(app, request);
  await countAttempt(app, TRIES_PER_ADDRESS, addressKey(request.ip));
  const token = tokenIn(request);
  if (!(await readReset(app, token))) return sendUnusable(context);
  const userId = await resetPassword(app, token, readTexts(request.body)["password"] ?? "");
  const who = userId && (await findPerson(app, userId));
  if (!who) return sendUnusable(context);
  // Remembers the browser, so that guesses by others meanwhile cannot stop the person from using the new password.
  rememberBrowser(context, who);
  return goTo(reply, pathTo("/auth/sign_in?done=password", takeGoal(context)));
};

export const resetPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/auth/password/new", page(showAsk));
  server.post("/auth/password", page(refusable(takeAsk, showAsk)));
  server.get("/auth/password/sent", page(showSent));
  server.get("/auth/password/edit", page(showChoose));
  server.post("/auth/password/edit", page(refusable(takeChoose, showChoose)));
};
