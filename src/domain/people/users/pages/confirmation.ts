// Serves the pages that confirm an email address by the link of an email, sign in by it, and send it again.
// docs/design/sign-in.md says why the link alone does not sign in every browser.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { passesCaptcha } from "../captcha.ts";
import {
  awaitsConfirmation,
  CONFIRM_DAYS,
  confirmEmail,
  resendByEmail,
  takeConfirmation,
} from "../confirm.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkForm, formField, isSignUpOf, signIn, visitor } from "./cookies.ts";
import { HOME } from "./member.ts";
import { goTo, inputField, notice, sendCard } from "./components.ts";
import { goToSecondStep } from "./second-step.ts";
import { noMailNotice, sendStanding, sendUnconfirmed, sentPath } from "./standing.ts";
import { textsOf } from "./texts.ts";

const LINKS_PER_ADDRESS: Limit = {
  name: "confirmation:ip",
  by: "address",
  count: 60,
  seconds: 300,
};
const RESENDS_PER_ADDRESS: Limit = { name: "resend:ip", by: "address", count: 25, seconds: 300 };
const RESENDS_PER_EMAIL: Limit = { name: "resend:email", by: "login", count: 5, seconds: 1800 };

const ACTION = "/auth/confirmation/sign_in";

type Confirmed = { who: SignedIn; token: string };

const tokenOf = (params: unknown): string => readTexts(params)["confirmation_token"] ?? "";

const sendInvalid = (app: App, reply: FastifyReply, isSignedIn: boolean) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("link.broken"),
    status: 404,
    body: html`<p>${t("confirm.broken")}</p>
      <div class="actions">
        ${
          isSignedIn
            ? html`<a class="button" href="${HOME}">${t("confirm.home")}</a>`
            : html`<a class="button" href="/auth/sign_in">${t("sign_in.title")}</a>`
        }
        <a class="button plain" href="/auth/confirmation/new">${t("reset.new_link")}</a>
      </div>`,
  });
};

const signInForm = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { who, token }: Confirmed,
) => {
  const { t } = textsOf(request);
  return html`<p>${t("confirm.ready")}</p>
    <form method="post" action="${ACTION}">
      ${formField(app, request, reply)}
      <input type="hidden" name="confirmation_token" value="${token}" />
      <button class="button">${t("confirm.sign_in_as", { name: who.username })}</button>
    </form>`;
};

const sendConfirmed = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  confirmed: Confirmed,
) => {
  const { username, email, standing } = confirmed.who;
  const { t } = textsOf(request);
  const values = { email: html`<strong>${email}</strong>`, name: username };
  return sendCard(app, reply, {
    title: t("confirm.done"),
    body: html`<p>${sentence(t, "confirm.done_text", values)}</p>
      ${standing === "unapproved" && html`<p>${t("confirm.waiting")}</p>`}
      ${standing === "active" && signInForm(app, request, reply, confirmed)}`,
  });
};

/** The page for new people. */
const WELCOME = "/welcome?done=confirmed";

/** Uses the link up: it signs in one browser. */
const signInByLink = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { who, token }: Confirmed,
) => {
  if (who.standing !== "active") return sendStanding(app, request, reply, who);
  if ((await takeConfirmation(app, token)) !== who.userId) return sendInvalid(app, reply, false);
  if (who.twoFactor) return goToSecondStep(app, reply, who, null);
  await signIn(app, request, reply, who);
  return goTo(reply, WELCOME);
};

const CAPTCHA = "/auth/confirmation/captcha";

/** Shows a captcha before an address is confirmed; people who sign up in an app come here too. */
const sendCaptcha = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  fault?: string,
) => {
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("confirm.captcha"),
    status: fault ? 422 : 200,
    captcha: true,
    body: html`${fault && notice(fault, "bad")}
      <p>${t("confirm.captcha_text")}</p>
      <form method="post" action="${CAPTCHA}">
        ${formField(app, request, reply)}
        <input type="hidden" name="confirmation_token" value="${token}" />
        <div class="field h-captcha" data-sitekey="${app.config.captcha?.siteKey}"></div>
        <noscript><p class="fault">${t("confirm.captcha_script")}</p></noscript>
        <button class="button">${t("confirm.go_on")}</button>
      </form>`,
  });
};

const takeCaptcha = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.body);
  const answer = readTexts(request.body)["h-captcha-response"] ?? "";
  if (await passesCaptcha(app, answer)) return confirm(app, request, reply, token);
  return sendCaptcha(app, request, reply, token, textsOf(request).t("confirm.captcha_wrong"));
};

const showConfirmation = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.query);
  const isAsked = app.config.captcha !== null && (await awaitsConfirmation(app, token));
  return isAsked ? sendCaptcha(app, request, reply, token) : confirm(app, request, reply, token);
};

const confirm = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> => {
  const [userId, present] = [await confirmEmail(app, token), await visitor(app, request)];
  const who = userId ? await findPerson(app, userId) : null;
  if (!who) return sendInvalid(app, reply, present !== null);
  const isSafe = present === null && isSignUpOf(app, request, who.userId);
  if (isSafe && who.standing === "active") {
    return signInByLink(app, request, reply, { who, token });
  }
  return sendConfirmed(app, request, reply, { who, token });
};

const takeSignIn = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.body);
  // The link was opened before this form was shown.
  const isAsked = app.config.captcha !== null && (await awaitsConfirmation(app, token));
  const userId = isAsked ? null : await confirmEmail(app, token);
  const who = userId ? await findPerson(app, userId) : null;
  return who ? signInByLink(app, request, reply, { who, token }) : sendInvalid(app, reply, false);
};

const showResend = (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("confirm.resend"),
    body: html`<form method="post" action="/auth/confirmation">
      ${formField(app, request, reply)}
      ${inputField({
        name: "email",
        label: t("field.email"),
        type: "email",
        autocomplete: "email",
        hint: t("confirm.resend_hint"),
        autofocus: true,
      })}
      <button class="button">${t("confirm.send")}</button>
    </form>`,
    below: html`<a href="/auth/sign_in">${t("sign_in.back")}</a>`,
  });
};

const takeResend = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  await countAttempt(app, RESENDS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, RESENDS_PER_EMAIL, writtenKey(email));
  await resendByEmail(app, email);
  const userId = parseId(readTexts(request.body)["user"]);
  return goTo(reply, userId === null ? "/auth/confirmation/sent" : sentPath(userId));
};

/** Returns who signed up in this browser and has not confirmed the address yet. */
const signedUp = async (app: App, request: FastifyRequest): Promise<SignedIn | null> => {
  const userId = parseId(readTexts(request.query)["user"]);
  if (userId === null || !isSignUpOf(app, request, userId)) return null;
  const who = await findPerson(app, userId);
  return who?.standing === "unconfirmed" ? who : null;
};

const showSent = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const who = await signedUp(app, request);
  if (who) return sendUnconfirmed(app, request, reply, who, { status: 200 });
  const { t } = textsOf(request);
  return sendCard(app, reply, {
    title: t("mail.inbox"),
    body: html`${(await noMailNotice(app, t)) ?? notice(t("confirm.sent"), "good")}
      <p>${t("confirm.sent_text", { days: CONFIRM_DAYS })}</p>
      <p class="soft small">${t("confirm.no_mail")}</p>`,
    below: html`<a href="/auth/confirmation/new">${t("reset.send_again")}</a> ·
      <a href="/auth/sign_in">${t("sign_in.title")}</a>`,
  });
};

export const confirmationPages = (server: Server, app: App): void => {
  server.get("/auth/confirmation", (request, reply) => showConfirmation(app, request, reply));
  server.post(CAPTCHA, (request, reply) => takeCaptcha(app, request, reply));
  server.post(ACTION, (request, reply) => takeSignIn(app, request, reply));
  server.get("/auth/confirmation/new", (request, reply) => showResend(app, request, reply));
  server.get("/auth/confirmation/sent", (request, reply) => showSent(app, request, reply));
  server.post("/auth/confirmation", (request, reply) => takeResend(app, request, reply));
};
