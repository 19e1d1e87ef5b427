// Shows people with the right password why they cannot sign in: unconfirmed, unapproved, disabled …

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { Standing } from "../../../../platform/http/credentials.ts";
import { countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import type { Key, Say } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { getSetting } from "../../../base/settings/settings.ts";
import { CONFIRM_DAYS, correctEmail } from "../confirm.ts";
import { findPerson, mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { browserOf, checkForm, ensureBrowser, formField, rememberSignUp } from "./cookies.ts";
import { heldAccounts } from "./held-accounts.ts";
import { faultsOf, goTo, inputField, notice, sendCard } from "./components.ts";
import { textsOf } from "./texts.ts";

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

const resendForm = (app: App, request: FastifyRequest, reply: FastifyReply, who: SignedIn) => {
  const { t } = textsOf(request);
  return html`<form method="post" action="/auth/confirmation">
    ${formField(app, request, reply)}
    <input type="hidden" name="email" value="${who.email}" />
    <input type="hidden" name="user" value="${who.userId}" />
    <button class="button plain">${t("confirm.resend_short")}</button>
  </form>`;
};

/** Returns null where the server sends mails; otherwise a notice that nobody should wait for one. */
export const noMailNotice = async (app: App, t: Say): Promise<Html | null> => {
  if (app.config.mail.server !== null) return null;
  const contact = await getSetting(app, "contact_email", app.config.instance.contactEmail);
  if (!contact) return notice(t("confirm.no_server"));
  const link = html`<a href="mailto:${contact}">${contact}</a>`;
  return notice(sentence(t, "confirm.no_server_contact", { contact: link }));
};

/**
 * Draws the form that corrects a mistyped address. There is no session yet, so that a ticket proves that the password
 * was right.
 */
const correctForm = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
  shown: { value?: string; fault?: string | undefined },
) => {
  const browser = ensureBrowser(app, request, reply);
  const { ticket } = makeChallenge(app, `address:${who.userId}`, browser);
  const { t } = textsOf(request);
  return html`<h2>${t("confirm.wrong")}</h2>
    <form method="post" action="/auth/confirmation/address">
      ${formField(app, request, reply)}
      <input type="hidden" name="user" value="${who.userId}" />
      <input type="hidden" name="ticket" value="${ticket}" />
      ${inputField({ name: "email", label: t("confirm.correct"), type: "email", autocomplete: "email", ...shown })}
      <button class="button plain">${t("confirm.change")}</button>
    </form>`;
};

type Unconfirmed = {
  /** Text that was entered instead of the address. */
  value?: string;
  fault?: string | undefined;
  /** 403 where somebody wanted more than to read this. */
  status?: number;
};

const strong = (text: string): Html => html`<strong>${text}</strong>`;

const unconfirmed = (t: Say, { email }: SignedIn): Html =>
  html`<p>${sentence(t, "confirm.not_yet", { email: strong(email) })}</p>`;

const whereItWent = (t: Say, { email }: SignedIn): Html =>
  html`<p>${sentence(t, "confirm.went", { email: strong(email), days: CONFIRM_DAYS })}</p>
    <p class="soft small">${t("confirm.went_not")}</p>`;

/** Shows to which address the mail went, how to have it sent again, and how to correct the address. */
export const sendUnconfirmed = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
  { status = 403, ...shown }: Unconfirmed = {},
) => {
  rememberSignUp(app, reply, who.userId);
  const { t } = textsOf(request);
  const noMail = await noMailNotice(app, t);
  return sendCard(app, reply, {
    title: t("confirm.title"),
    status: shown.fault ? 422 : status,
    body: html`${noMail ? [noMail, unconfirmed(t, who)] : [whereItWent(t, who), resendForm(app, request, reply, who)]}
    ${correctForm(app, request, reply, who, shown)}`,
    below: html`<a href="/auth/sign_in">${t("sign_in.title")}</a>`,
  });
};

/** Handles the form that corrects an unconfirmed address. */
const takeCorrection = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  const { user = "", ticket = "", email = "" } = readTexts(request.body);
  const browser = browserOf(app, request) ?? "";
  const proved = await takeChallenge(app, `address:${user}`, browser, ticket);
  const who = proved ? await findPerson(app, user) : null;
  if (who?.standing !== "unconfirmed") return goTo(reply, "/auth/sign_in");
  await countAttempt(app, CORRECTIONS, who.userId);
  const value = email.trim().slice(0, 320);
  try {
    await correctEmail(app, who.userId, value);
  } catch (error) {
    const faults = faultsOf(textsOf(request).t, error);
    if (!faults) throw error;
    return sendUnconfirmed(app, request, reply, who, { value, fault: faults["email"] });
  }
  return goTo(reply, sentPath(who.userId));
};

export const standingPages = (server: Server, app: App): void => {
  server.post("/auth/confirmation/address", (request, reply) =>
    takeCorrection(app, request, reply),
  );
};

/** Shows why the person cannot continue, and which other accounts can; answers 403. */
export const sendStanding = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  who: SignedIn,
): Promise<FastifyReply> => {
  const standing = who.standing as Inactive;
  if (standing === "unconfirmed") return sendUnconfirmed(app, request, reply, who);
  const { t } = textsOf(request);
  const appeal =
    mayUseRights(who) &&
    html`<p><a class="button" href="/disputes/strikes">${t("standing.appeal")}</a></p>
      <p><a class="button plain" href="/settings/export">${t("standing.export")}</a></p>`;
  return sendCard(app, reply, {
    title: t(`standing.${standing}.title`),
    status: 403,
    body: html`<p>${t(WHY[standing])}</p>
      ${appeal} ${await heldAccounts(app, request, reply, null)}`,
  });
};
