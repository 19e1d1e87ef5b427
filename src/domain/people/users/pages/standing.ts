// Shows people with the right password why they cannot sign in: unconfirmed, unapproved, disabled …

import type { FastifyReply } from "fastify";
import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Standing } from "../../../../platform/http/credentials.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import type { Key } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { getSetting } from "../../../base/settings/settings.ts";
import { CONFIRM_DAYS, correctEmail } from "../confirm.ts";
import { checkEmail } from "../create.ts";
import { findPerson, mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { browserOf, checkForm, ensureBrowser, rememberSignUp } from "./cookies.ts";
import { EMAIL, formOf } from "./fields.ts";
import { heldAccounts } from "./held-accounts.ts";
import { asAnybody, goTo, goalOf, refusable, sendCard } from "./components.ts";
import type { CardContext } from "./components.ts";

type Inactive = Exclude<Standing, "active">;

const CORRECTIONS: Limit = { name: "correct-email:user", by: "person", count: 5, seconds: 1800 };

const WHY: Record<Exclude<Inactive, "unconfirmed">, Key> = {
  unapproved: "confirm.waiting",
  disabled: "standing.disabled.text",
  suspended: "standing.suspended.text",
  moved: "standing.moved.text",
};

const SENT = "/auth/confirmation/sent";

/** Returns the page after a sign-up, which tells the browser that signed up to which address the mail went. */
export const sentPath = (userId: string): string =>
  `${SENT}?${new URLSearchParams({ user: userId })}`;

/** Returns null where the server sends mails; otherwise a notice that nobody should wait for one. */
export const noMailNotice = async (app: App): Promise<Part | null> => {
  if (app.config.mail.server !== null) return null;
  const contact = await getSetting(app, "contact_email", app.config.instance.contactEmail);
  if (!contact) return { notice: { say: "confirm.no_server" } };
  const link = { link: `mailto:${contact}`, text: contact };
  return { notice: { say: "confirm.no_server_contact", with: { contact: link } } };
};

const resendParts = ({ userId: user, email }: SignedIn): Part[] => [
  {
    text: {
      say: "confirm.went",
      values: { days: CONFIRM_DAYS },
      with: { email: { strong: email } },
    },
  },
  { text: { say: "confirm.went_not" }, kind: "soft small" },
  formOf("/auth/confirmation", "confirm.resend_short", [], {
    hidden: { email, user },
    kind: "plain",
  }),
];

/** Shows to which address the mail went, how to have it sent again, and how to correct the address. */
export const sendUnconfirmed = async (
  context: CardContext,
  who: SignedIn, // 403 where somebody wanted more than to read this.
  status = 403,
) => {
  const { app, request, reply } = context;
  const { userId: user, email } = who;
  rememberSignUp(app, reply, user, goalOf(context));
  // There is no session yet, so that a ticket proves that the password was right.
  const { ticket } = makeChallenge(app, `address:${user}`, ensureBrowser(app, request, reply));
  const noMail = await noMailNotice(app);
  const notYet = { say: "confirm.not_yet", with: { email: { strong: email } } } as const;
  return sendCard(context, {
    title: "confirm.title",
    status,
    parts: [
      ...(noMail ? [noMail, { text: notYet }] : resendParts(who)),
      !who.isApproved && { text: { say: "confirm.then_waiting" } },
      { heading: "confirm.wrong" },
      formOf(
        "/auth/confirmation/address",
        "confirm.change",
        [{ ...EMAIL, label: "confirm.correct" }],
        { hidden: { user, ticket }, kind: "plain" },
      ),
      { below: [["/auth/sign_in", "sign_in.title"]] },
    ],
  });
};

/** Handles the form that corrects an unconfirmed address. */
const takeCorrection = async (context: CardContext) => {
  const { app, request, reply } = context;
  checkForm(app, request);
  const { user = "", ticket = "", email = "" } = readTexts(request.body);
  const browser = browserOf(app, request) ?? "";
  const proved = await takeChallenge(app, `address:${user}`, browser, ticket);
  const who = proved ? await findPerson(app, user) : null;
  if (who?.standing !== "unconfirmed") return goTo(reply, "/auth/sign_in");
  const take = async () => {
    const address = email.trim().slice(0, 320);
    checkEmail(app, address);
    await countAttempt(app, CORRECTIONS, who.userId);
    await correctEmail(app, who.userId, address);
    return goTo(reply, sentPath(who.userId));
  };
  return refusable(take, (again) => sendUnconfirmed(again, who))(context);
};

export const standingPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.post("/auth/confirmation/address", page(takeCorrection));
};

/** Shows why the person cannot continue, and which other accounts can; answers 403. */
export const sendStanding = async (context: CardContext, who: SignedIn): Promise<FastifyReply> => {
  const standing = who.standing as Inactive;
  if (standing === "unconfirmed") return sendUnconfirmed(context, who);
  return sendCard(context, {
    title: `standing.${standing}.title`,
    status: 403,
    parts: [
      { text: { say: WHY[standing] } },
      mayUseRights(who) && {
        ways: [
          ["/disputes/strikes", "standing.appeal"],
          ["/settings/export", "standing.export"],
        ],
      },
      ...(await heldAccounts(context, null)),
    ],
  });
};
