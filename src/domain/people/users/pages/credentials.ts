// Serves the pages that change the email address and the password of a signed-in person.

import type { App } from "../../../../platform/app.ts";
import { invalidFields } from "../../../../platform/errors.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { askForEmail, giveUpEmail, pendingEmail, takeNewEmail } from "../change-email.ts";
import { checkEmail, passwordFault } from "../create.ts";
import { findPerson, mayHavePassword, mayUsePassword } from "../sign-in.ts";
import { changePassword } from "../change-password.ts";
import { rememberBrowser, sessionToken } from "./cookies.ts";
import { EMAIL, NEW_PASSWORD, formOf } from "./fields.ts";
import { SETTINGS, askedAsMember, checkPassword, memberPage, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { asAnybody, goTo, refusable, sendCard, sendServed } from "./components.ts";
import type { CardContext } from "./components.ts";

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

const EMAIL_PAGE = "/settings/email";

const sendEmail = async (context: PageContext) => {
  const { app, who } = context;
  const pending = await pendingEmail(app, who.userId);
  return sendServed(context, {
    title: "email.title",
    parts: [
      { text: { say: "email.current", with: { email: { strong: who.email } } } },
      pending && {
        notice: { say: "email.sent_to", with: { email: { strong: pending } } },
        act: { action: `${EMAIL_PAGE}/cancel`, label: "email.keep" },
      },
      formOf(EMAIL_PAGE, "email.change", [
        { ...EMAIL, label: "email.new", hint: "email.hint" },
        ownPassword(context),
      ]),
    ],
  });
};

const takeEmail = async (context: PageContext): Promise<void> => {
  const { app, request, who } = context;
  const email = (readTexts(request.body)["email"] ?? "").trim().slice(0, 320);
  await checkPassword(context, () => checkEmail(app, email));
  await countAttempt(app, MAILS_PER_PERSON, who.userId);
  await askForEmail(app, who.userId, email);
};

const emailPages = memberPage(EMAIL_PAGE, sendEmail, [
  ["", "email.done_sent", takeEmail],
  ["/cancel", "email.done_kept", ({ app, who }) => giveUpEmail(app, who.userId)],
]);

/** Confirms by the link of the mail; works without a session, because it may be opened on another device. */
const confirmEmail = async (context: CardContext) => {
  const { app, request } = context;
  await countAttempt(app, LINKS_PER_ADDRESS, addressKey(request.ip));
  const works = await takeNewEmail(app, readTexts(request.query)["token"] ?? "");
  return sendCard(context, {
    title: works ? "email.changed" : "link.broken",
    status: works ? 200 : 404,
    parts: [
      { text: { say: works ? "email.changed_text" : "email.unusable" } },
      { ways: [[works ? SETTINGS : EMAIL_PAGE, "email.settings"]] },
    ],
  });
};

const sendPassword = async (context: PageContext) => {
  if (!mayHavePassword(context.app, context.who))
    return sendServed(context, {
      title: "password.title",
      parts: [
        { text: { say: "password.none_here" } },
        { below: [["/settings/ways", "ways.title"]] },
      ],
    });
  return sendServed(context, {
    title: "password.title",
    parts: [
      formOf("/settings/password", "password.change", [ownPassword(context), NEW_PASSWORD], {
        username: context.who.username,
      }),
      {
        text: [
          { say: "password.signed_out" },
          mayUsePassword(context.app, context.who) && {
            link: "/auth/password/new",
            text: { say: "password.forgot" },
          },
        ],
        kind: "soft small",
      },
    ],
  });
};

const takePassword = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { password = "" } = readTexts(request.body);
  const fault = await passwordFault(password, who.username);
  await checkPassword(context, () => {
    if (fault) throw invalidFields([fault]);
  });
  await changePassword(app, who.userId, password, sessionToken(app, request));
  const changed = await findPerson(app, who.userId);
  if (changed) rememberBrowser(context, changed);
  return goTo(reply, `${SETTINGS}?done=password`);
};

export const credentialPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  emailPages(server, app);
  server.get(`${EMAIL_PAGE}/confirm`, asAnybody(app)(confirmEmail));
  server.get("/settings/password", page(sendPassword));
  server.post("/settings/password", page(refusable(takePassword, sendPassword)));
};
