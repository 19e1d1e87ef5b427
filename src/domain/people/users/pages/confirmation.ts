// Serves the pages that confirm an email address by the link of an email, sign in by it, and send it again.
// docs/design/sign-in.md says why the link alone does not sign in every browser.

import type { FastifyReply } from "fastify";
import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import { Unprocessable } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { says } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { passesCaptcha } from "../captcha.ts";
import {
  awaitsConfirmation,
  CONFIRM_DAYS,
  confirmEmail,
  resendByEmail,
  takeConfirmation,
} from "../confirm.ts";
import { checkEmail } from "../create.ts";
import { writtenKey } from "../guesses.ts";
import { findPerson } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkForm, isSignUpOf, takeGoal, visitor } from "./cookies.ts";
import { EMAIL, formOf } from "./fields.ts";
import { HOME, WELCOME } from "./member.ts";
import { asAnybody, goTo, goalOf, ownPath, refusable, sendCard, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";
import { letIn } from "./let-in.ts";
import { noMailNotice, sendStanding, sendUnconfirmed, sentPath } from "./standing.ts";

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

const sendInvalid = (context: CardContext, isSignedIn: boolean) =>
  sendCard(context, {
    title: "link.broken",
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
  formOf(ACTION, ["confirm.sign_in_as", { name: who.username }], [], {
    hidden: { confirmation_token: token },
  }),
];

const sendConfirmed = (context: CardContext, confirmed: Confirmed) => {
  const { username: name, email, standing } = confirmed.who;
  return sendCard(context, {
    title: "confirm.done",
    parts: [
      { text: { say: "confirm.done_text", values: { name }, with: { email: { strong: email } } } },
      standing === "unapproved" && { text: { say: "confirm.waiting" } },
      ...(standing === "active" ? signInParts(confirmed) : []),
    ],
  });
};

/** Uses the link up: it signs in one browser. */
const signInByLink = async (context: CardContext, { who, token }: Confirmed) => {
  const { app, request } = context;
  if (who.standing !== "active") return sendStanding(context, who);
  if ((await takeConfirmation(app, token)) !== who.userId) return sendInvalid(context, false);
  const goal = isSignUpOf(app, request, who.userId) ? takeGoal(context) : null;
  const returnTo = ownPath(app, goal ?? undefined) ?? `${WELCOME}?done=confirmed`;
  return letIn(context, who, { returnTo });
};

const CAPTCHA = "/auth/confirmation/captcha";

/** Shows a captcha before an address is confirmed; people who sign up in an app come here too. */
const sendCaptcha = (context: CardContext, token: string) => {
  const { app } = context;
  return sendCard(context, {
    title: "confirm.captcha",
    captcha: true,
    parts: [
      { text: { say: "confirm.captcha_text" } },
      formOf(CAPTCHA, "confirm.go_on", [], {
        hidden: { confirmation_token: token },
        before: [{ captcha: app.config.captcha?.siteKey ?? "" }],
      }),
    ],
  });
};

const takeCaptcha = async (context: CardContext) => {
  const { app, request } = context;
  checkForm(app, request);
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.body);
  const answer = readTexts(request.body)["h-captcha-response"] ?? "";
  if (await passesCaptcha(app, answer)) return confirm(context, token);
  throw new Unprocessable(says("confirm.captcha_wrong"));
};

const showCaptcha = (context: CardContext) => sendCaptcha(context, tokenOf(context.request.body));

const showConfirmation = async (context: CardContext) => {
  const { app, request } = context;
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.query);
  const isAsked = app.config.captcha !== null && (await awaitsConfirmation(app, token));
  return isAsked ? sendCaptcha(context, token) : confirm(context, token);
};

const confirm = async (context: CardContext, token: string): Promise<FastifyReply> => {
  const { app, request } = context;
  const [userId, present] = [await confirmEmail(app, token), await visitor(app, request)];
  const who = userId ? await findPerson(app, userId) : null;
  if (!who) return sendInvalid(context, present !== null);
  const isSafe = present === null && isSignUpOf(app, request, who.userId);
  if (isSafe && who.standing === "active") {
    return signInByLink(context, { who, token });
  }
  return sendConfirmed(context, { who, token });
};

const takeSignIn = async (context: CardContext) => {
  const { app, request } = context;
  checkForm(app, request);
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const token = tokenOf(request.body);
  // The link was opened before this form was shown.
  const isAsked = app.config.captcha !== null && (await awaitsConfirmation(app, token));
  const userId = isAsked ? null : await confirmEmail(app, token);
  const who = userId ? await findPerson(app, userId) : null;
  return who ? signInByLink(context, { who, token }) : sendInvalid(context, false);
};

const showResend = (context: CardContext) =>
  sendCard(context, {
    title: "confirm.resend",
    parts: [
      formOf("/auth/confirmation", "confirm.send", [
        { ...EMAIL, hint: "confirm.resend_hint", autofocus: true },
      ]),
      { below: [[signInPath(goalOf(context)), "sign_in.back"]] },
    ],
  });

const takeResend = async ({ app, request, reply }: CardContext) => {
  checkForm(app, request);
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  checkEmail(app, email);
  await countAttempt(app, RESENDS_PER_ADDRESS, addressKey(request.ip));
  await countAttempt(app, RESENDS_PER_EMAIL, writtenKey(email));
  await resendByEmail(app, email);
  const userId = parseId(readTexts(request.body)["user"]);
  return goTo(reply, userId === null ? "/auth/confirmation/sent" : sentPath(userId));
};

/** Returns who signed up in this browser and has not confirmed the address yet. */
const signedUp = async ({ app, request }: CardContext): Promise<SignedIn | null> => {
  const userId = parseId(readTexts(request.query)["user"]);
  if (userId === null || !isSignUpOf(app, request, userId)) return null;
  const who = await findPerson(app, userId);
  return who?.standing === "unconfirmed" ? who : null;
};

const showSent = async (context: CardContext) => {
  const { app } = context;
  const who = await signedUp(context);
  if (who) return sendUnconfirmed(context, who, 200);
  return sendCard(context, {
    title: "mail.inbox",
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
  const page = asAnybody(app);
  server.get("/auth/confirmation", page(showConfirmation));
  server.post(CAPTCHA, page(refusable(takeCaptcha, showCaptcha)));
  server.post(ACTION, page(takeSignIn));
  server.get("/auth/confirmation/new", page(showResend));
  server.get("/auth/confirmation/sent", page(showSent));
  server.post("/auth/confirmation", page(refusable(takeResend, showResend)));
};
