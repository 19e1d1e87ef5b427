// The page to sign up.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { Forbidden, TooManyRequests } from "../../../platform/errors.ts";
import { headersOf, statusOf } from "../../../platform/http/http-error.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { currentRules } from "../../rules/rules.ts";
import type { RuleRow } from "../../rules/tables.ts";
import { getSetting } from "../../settings/settings.ts";
import { findInvite } from "../invites.ts";
import type { UsableInvite } from "../invites.ts";
import { minimumAge, registrationMode, signUp, termsDays } from "../sign-up.ts";
import type { RegistrationMode, TermsDays } from "../sign-up.ts";
import { checkForm, formField, rememberSignUp, visitor } from "./cookies.ts";
import { HOME } from "./member.ts";
import { errorMessage, faultsOf, goTo, inputField, notice, sendCard } from "./parts.ts";
import type { Faults } from "./parts.ts";
import { personFields } from "./person-fields.ts";
import { sentPath } from "./standing.ts";
import { dayText } from "./when.ts";

/** Codes are long; this keeps guessing them cheap for us. */
const INVITES_PER_ADDRESS: Limit = { name: "invite:ip", by: "address", count: 60, seconds: 300 };

type Texts = Partial<Record<string, string>>;
type Shown = {
  values: Texts;
  faults: Faults;
  status?: number;
  problem?: string;
  /** By which somebody came. */
  invite?: UsableInvite | null;
};

const SIGN_IN = html`Already have an account? <a href="/auth/sign_in">Sign in</a>`;

const reasonField = ({ values, faults }: Shown): Html =>
  inputField({
    name: "reason",
    label: "Why do you want to join?",
    type: "textarea",
    value: values["reason"] ?? "",
    fault: faults["reason"],
    maxlength: 420,
    hint: "The people who run this server review every application.",
  });

const birthField = async (app: App, { values, faults }: Shown): Promise<HtmlValue> => {
  const years = await minimumAge(app);
  if (years === null) return null;
  return inputField({
    name: "date_of_birth",
    label: "Date of birth",
    type: "date",
    value: values["date_of_birth"] ?? "",
    fault: faults["date_of_birth"],
    autocomplete: "bday",
    hint: `You have to be at least ${years} years old. The date is not stored.`,
  });
};

const invitation = ({ invite }: Shown): HtmlValue =>
  invite &&
  html`<p class="notice">
      <a href="/@${invite.username}"><strong>@${invite.username}</strong></a> invites you to this
      server.
    </p>
    <input type="hidden" name="invite_code" value="${invite.code}" />`;

const rulesList = (rules: RuleRow[]): HtmlValue =>
  rules.length > 0 &&
  html`<h2 id="rules">Server rules</h2>
    <ol class="rules">
      ${rules.map(({ text, hint }) => html`<li>${text} ${hint && html`<span>${hint}</span>`}</li>`)}
    </ol>`;

/** Opened beside the form, so that what was entered stays. */
const documentLink = (path: string, name: string): Html =>
  html`<a href="${path}" target="_blank" rel="noopener">${name}</a>`;

const termsLink = (day: string, name: string): Html =>
  documentLink(`/terms-of-service/${day}`, name);

/** People agree to what is in force. */
const agreementText = (withRules: boolean, { current }: TermsDays): Html => {
  const privacy = documentLink("/privacy-policy", "privacy policy");
  const terms = current && termsLink(current, "terms of service");
  if (!withRules && !terms) return html`I have read and agree to the ${privacy}`;
  if (!terms) return html`I agree to the server rules and the ${privacy}`;
  if (!withRules) return html`I agree to the ${terms} and the ${privacy}`;
  return html`I agree to the server rules, the ${terms} and the ${privacy}`;
};

/** What will be in force is said, and agreed to by nobody yet. */
const nextTerms = ({ current, next }: TermsDays): HtmlValue =>
  next &&
  html`<p class="hint">
    ${termsLink(next, current ? "New terms of service" : "Terms of service")} take effect on
    ${dayText(next)}.
  </p>`;

const agreement = (text: Html, more: HtmlValue, { values, faults }: Shown): Html => {
  const fault = faults["agreement"];
  const checked = values["agreement"] === "1" && raw("checked ");
  const described = fault && raw('aria-invalid="true" aria-describedby="agreement-fault" ');
  return html`<div class="field">
    <div class="check">
      <input
        type="checkbox"
        id="agreement"
        name="agreement"
        value="1"
        required
        ${checked}
        ${described}
      />
      <label for="agreement">${text}</label>
    </div>
    ${more} ${fault && html`<p class="fault" id="agreement-fault">${fault}</p>`}
  </div>`;
};

const signUpForm = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  mode: RegistrationMode,
  shown: Shown,
) => {
  const [rules, terms] = await Promise.all([currentRules(app), termsDays(app)]);
  const isAsked = mode === "approved" && !shown.invite;
  const title = isAsked ? "Apply for an account" : "Create an account";
  return sendCard(app, reply, {
    title,
    status: shown.status ?? 200,
    body: html`${shown.problem && notice(shown.problem, "bad")}
      <form method="post" action="/auth/sign_up">
        ${formField(app, request, reply)} ${invitation(shown)}
        ${personFields(app, shown.values, shown.faults)} ${await birthField(app, shown)}
        ${isAsked && reasonField(shown)} ${rulesList(rules)}
        ${agreement(agreementText(rules.length > 0, terms), nextTerms(terms), shown)}
        <button class="button">${isAsked ? "Apply" : "Create account"}</button>
      </form>`,
    below: SIGN_IN,
  });
};

const sendClosed = async (app: App, reply: FastifyReply) => {
  const message = await getSetting(app, "registrations_message", "");
  return sendCard(app, reply, {
    title: "Sign-ups are closed",
    status: 403,
    body: html`<p>${message || "This server is not accepting new accounts at the moment."}</p>`,
    below: SIGN_IN,
  });
};

const formOf = (values: Texts, ip: string) => ({
  username: values["username"] ?? "",
  email: (values["email"] ?? "").trim(),
  password: values["password"] ?? "",
  agreement: values["agreement"] === "1",
  reason: values["reason"] ?? "",
  locale: null,
  timeZone: null,
  ip,
  appId: null,
  inviteCode: values["invite_code"] || null,
  dateOfBirth: values["date_of_birth"] ?? null,
});

/** What the form shows after an error, with all that was entered but the password. */
const afterError = (error: unknown, reply: FastifyReply, values: Texts): Shown => {
  const faults = faultsOf(error);
  if (faults) return { values, faults, status: 422 };
  if (!(error instanceof Forbidden || error instanceof TooManyRequests)) throw error;
  reply.headers(headersOf(error));
  return { values, faults: {}, status: statusOf(error), problem: errorMessage(error) };
};

const takeSignUp = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const values = readTexts(request.body);
  const mode = await registrationMode(app);
  const code = values["invite_code"];
  const invite = code ? await findInvite(app, code) : null;
  if (mode === "closed" && !invite) {
    return code ? sendOver(app, reply) : sendClosed(app, reply);
  }
  try {
    checkForm(app, request);
    const form = formOf(values, request.ip);
    const userId = await signUp(app, form, async (_tx, made) => made.userId);
    rememberSignUp(app, reply, userId);
    return goTo(reply, sentPath(userId));
  } catch (error) {
    const shown = { ...afterError(error, reply, values), invite };
    return signUpForm(app, request, reply, mode, shown);
  }
};

const sendOver = (app: App, reply: FastifyReply) =>
  sendCard(app, reply, {
    title: "This invitation no longer works",
    status: 401,
    body: html`<p>It has expired or was used up. Ask for a new one.</p>`,
    below: SIGN_IN,
  });

type ByCode = FastifyRequest<{ Params: { code: string } }>;

/** Apps ask for JSON: they sign up by the API with the code. */
const showInvite = async (app: App, request: ByCode, reply: FastifyReply) => {
  await countAttempt(app, INVITES_PER_ADDRESS, addressKey(request.ip));
  reply.header("vary", "Accept");
  const invite = await findInvite(app, request.params.code);
  if (/\bjson\b/i.test(request.headers.accept ?? "")) {
    reply.header("cache-control", "private, no-store").type("application/json; charset=utf-8");
    if (!invite) {
      return reply.code(401).send(JSON.stringify({ error: "This invitation no longer works" }));
    }
    const instance_api_url = `${app.config.site.origin}/api/v2/instance`;
    return reply.send(JSON.stringify({ invite_code: invite.code, instance_api_url }));
  }
  if (await visitor(app, request)) return goTo(reply, HOME);
  if (!invite) return sendOver(app, reply);
  const mode = await registrationMode(app);
  return signUpForm(app, request, reply, mode, { values: {}, faults: {}, invite });
};

export const signUpPages = (server: Server, app: App): void => {
  server.get("/auth/sign_up", async (request, reply) => {
    const mode = await registrationMode(app);
    if (mode === "closed") return sendClosed(app, reply);
    return signUpForm(app, request, reply, mode, { values: {}, faults: {} });
  });
  server.get("/invite/:code", (request: ByCode, reply) => showInvite(app, request, reply));
  server.post("/auth/sign_up", (request, reply) => takeSignUp(app, request, reply));
};
