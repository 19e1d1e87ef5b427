// Serves the pages that confirm an email address by the link of an email, sign in by it, and send it again.
// docs/design/sign-in.md says why the link alone does not sign in every browser.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
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
import { checkForm, isSignUpOf, signIn, visitor } from "./cookies.ts";
import { EMAIL } from "./fields.ts";
import { HOME } from "./member.ts";
import { goTo, sendCard } from "./components.ts";
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

const sendInvalid = (app: App, reply: FastifyReply, isSignedIn: boolean) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("link.broken"),
    status: 404,
    parts: [
      { text: { say: "confirm.broken" } },
      {
        ways: [
          isSignedIn ? [HOME, "confirm.home"] : ["/auth/sign_in", "sign_in.title"],
          ["/auth/confirmation/new", "reset.new_link"],
        ],
      },
    ],
  });

const signInParts = ({ who, token }: Confirmed): Part[] => [
  { text: { say: "confirm.ready" } },
  {
    form: {
      action: ACTION,
      hidden: { confirmation_token: token },
      submit: ["confirm.sign_in_as", { name: who.username }],
    },
  },
];

const sendConfirmed = (app: App, reply: FastifyReply, confirmed: Confirmed) => {
  const { username: name, email, standing } = confirmed.who;
  return sendCard(app, reply, {
    title: textsOf(reply.request).t("confirm.done"),
    parts: [
      { text: { say: "confirm.done_text", values: { name }, with: { email: { strong: email } } } },
      standing === "unapproved" && { text: { say: "confirm.waiting" } },
      ...(standing === "active" ? signInParts(confirmed) : []),
    ],
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
const sendCaptcha = (app: App, reply: FastifyReply, token: string, problem?: string) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("confirm.captcha"),
    problem,
    captcha: true,
    parts: [
      { text: { say: "confirm.captcha_text" } },
      {
        form: {
          action: CAPTCHA,
          hidden: { confirmation_token: token },
          before: [{ captcha: app.config.captcha?.siteKey ?? "" }],
          submit: "confirm.go_on",
        },
      },
    ],
  });

const takeCaptcha = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.body);
  const answer = readTexts(request.body)["h-captcha-response"] ?? "";
  if (await passesCaptcha(app, answer)) return confirm(app, request, reply, token);
  return sendCaptcha(app, reply, token, textsOf(request).t("confirm.captcha_wrong"));
};

const showConfirmation = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.query);
  const isAsked = app.config.captcha !== null && (await awaitsConfirmation(app, token));
  return isAsked ? sendCaptcha(app, reply, token) : confirm(app, request, reply, token);
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
  return sendConfirmed(app, reply, { who, token });
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

const showResend = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: textsOf(reply.request).t("confirm.resend"),
    parts: [
      {
        form: {
          action: "/auth/confirmation",
          fields: [{ ...EMAIL, hint: "confirm.resend_hint", autofocus: true }],
          submit: "confirm.send",
        },
      },
      { below: [["/auth/sign_in", "sign_in.back"]] },
    ],
  });

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
  return sendCard(app, reply, {
    title: textsOf(request).t("mail.inbox"),
    parts: [
      (await noMailNotice(app)) ?? { notice: { say: "confirm.sent" }, kind: "good" },
      { text: { say: "confirm.sent_text", values: { days: CONFIRM_DAYS } } },
      { text: { say: "confirm.no_mail" }, kind: "soft small" },
      {
        below: [
          ["/auth/confirmation/new", "reset.send_again"],
          ["/auth/sign_in", "sign_in.title"],
        ],
      },
    ],
  });
};

export const confirmationPages = (server: Server, app: App): void => {
  server.get("/auth/confirmation", (request, reply) => showConfirmation(app, request, reply));
  server.post(CAPTCHA, (request, reply) => takeCaptcha(app, request, reply));
  server.post(ACTION, (request, reply) => takeSignIn(app, request, reply));
  server.get("/auth/confirmation/new", (_request, reply) => showResend(app, reply));
  server.get("/auth/confirmation/sent", (request, reply) => showSent(app, request, reply));
  server.post("/auth/confirmation", (request, reply) => takeResend(app, request, reply));
};
