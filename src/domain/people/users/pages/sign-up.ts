// The page to sign up.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { Forbidden, TooManyRequests } from "../../../../platform/errors.ts";
import { headersOf, statusOf } from "../../../../platform/http/http-error.ts";
import { readingLanguages } from "../../../../platform/http/accept-language.ts";
import { formErrorText } from "../../../../platform/http/error-text.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html, raw } from "../../../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../../../platform/text/html.ts";
import { sentence, textsIn } from "../../../../platform/text/texts.ts";
import type { Say, Texts } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { currentRules } from "../../../base/rules/rules.ts";
import type { RuleRow } from "../../../base/rules/tables.ts";
import { getSetting } from "../../../base/settings/settings.ts";
import { findInvite } from "../invites.ts";
import type { UsableInvite } from "../invites.ts";
import { minimumAge, registrationMode, signUp, termsDays } from "../sign-up.ts";
import type { RegistrationMode, TermsDays } from "../sign-up.ts";
import { checkForm, formField, rememberSignUp, visitor } from "./cookies.ts";
import { HOME } from "./member.ts";
import { faultsOf, goTo, inputField, notice, sendCard } from "./components.ts";
import type { Faults } from "./components.ts";
import { personFields } from "./person-fields.ts";
import { sentPath } from "./standing.ts";
import { textsOf } from "./texts.ts";
import { dayText } from "./when.ts";

/** Limit of tries of invitation codes, so that guessing costs this server little. */
const INVITES_PER_ADDRESS: Limit = { name: "invite:ip", by: "address", count: 60, seconds: 300 };

type Values = Partial<Record<string, string>>;
type Shown = {
  values: Values;
  faults: Faults;
  status?: number;
  problem?: string;
  /** Invitation by which somebody came. */
  invite?: UsableInvite | null;
};

const signInLink = (t: Say): Html =>
  html`${t("sign_up.have_account")} <a href="/auth/sign_in">${t("sign_in.title")}</a>`;

const reasonField = (t: Say, { values, faults }: Shown): Html =>
  inputField({
    name: "reason",
    label: t("sign_up.reason"),
    type: "textarea",
    value: values["reason"] ?? "",
    fault: faults["reason"],
    maxlength: 420,
    hint: t("sign_up.reason_hint"),
  });

const birthField = async (app: App, t: Say, { values, faults }: Shown): Promise<HtmlValue> => {
  const years = await minimumAge(app);
  if (years === null) return null;
  return inputField({
    name: "date_of_birth",
    label: t("sign_up.birth"),
    type: "date",
    value: values["date_of_birth"] ?? "",
    fault: faults["date_of_birth"],
    autocomplete: "bday",
    hint: t("sign_up.birth_hint", { count: years }),
  });
};

const invitation = (t: Say, { invite }: Shown): HtmlValue =>
  invite &&
  html`<p class="notice">
      ${sentence(t, "sign_up.invited", {
        name: html`<a href="/@${invite.username}"><strong>@${invite.username}</strong></a>`,
      })}
    </p>
    <input type="hidden" name="invite_code" value="${invite.code}" />`;

const rulesList = (t: Say, rules: RuleRow[]): HtmlValue =>
  rules.length > 0 &&
  html`<h2 id="rules">${t("sign_up.rules")}</h2>
    <ol class="rules">
      ${rules.map(({ text, hint }) => html`<li>${text} ${hint && html`<span>${hint}</span>`}</li>`)}
    </ol>`;

/** Opens documents beside the form, so that what was entered stays. */
const documentLink = (path: string, name: string): Html =>
  html`<a href="${path}" target="_blank" rel="noopener">${name}</a>`;

const termsLink = (day: string, name: string): Html =>
  documentLink(`/terms-of-service/${day}`, name);

/** Draws the agreement to the terms in force. */
const agreementText = (t: Say, withRules: boolean, { current }: TermsDays): Html => {
  const privacy = documentLink("/privacy-policy", t("sign_up.privacy"));
  if (!current) {
    return sentence(t, withRules ? "sign_up.agree_rules" : "sign_up.agree_privacy", { privacy });
  }
  const terms = termsLink(current, t("sign_up.terms"));
  const key = withRules ? "sign_up.agree_all" : "sign_up.agree_terms";
  return sentence(t, key, { terms, privacy });
};

/** Announces terms that will be in force; nobody agrees to them yet. */
const nextTerms = ({ t, language }: Texts, { current, next }: TermsDays): HtmlValue => {
  if (!next) return null;
  const name = t(current ? "sign_up.new_terms_next" : "sign_up.new_terms_first");
  const values = { terms: termsLink(next, name), day: dayText(next, language) };
  return html`<p class="hint">${sentence(t, "sign_up.new_terms", values)}</p>`;
};

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
  const texts = textsOf(request);
  const { t } = texts;
  const title = t(isAsked ? "sign_up.apply_title" : "sign_in.create");
  return sendCard(app, reply, {
    title,
    status: shown.status ?? 200,
    body: html`${shown.problem && notice(shown.problem, "bad")}
      <form method="post" action="/auth/sign_up">
        ${formField(app, request, reply)} ${invitation(t, shown)}
        <input type="hidden" name="terms" value="${terms.current ?? ""}" />
        ${personFields(app, t, shown.values, shown.faults)} ${await birthField(app, t, shown)}
        ${isAsked && reasonField(t, shown)} ${rulesList(t, rules)}
        ${agreement(agreementText(t, rules.length > 0, terms), nextTerms(texts, terms), shown)}
        <button class="button">${t(isAsked ? "sign_up.apply" : "sign_up.create")}</button>
      </form>`,
    below: signInLink(t),
  });
};

const sendClosed = async (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  const message = await getSetting(app, "registrations_message", "");
  return sendCard(app, reply, {
    title: t("sign_up.closed"),
    status: 403,
    body: html`<p>${message || t("sign_up.closed_text")}</p>`,
    below: signInLink(t),
  });
};

const formOf = (values: Values, request: FastifyRequest) => ({
  username: values["username"] ?? "",
  email: (values["email"] ?? "").trim(),
  password: values["password"] ?? "",
  agreement: values["agreement"] === "1",
  reason: values["reason"] ?? "",
  // The language is chosen anew, because mails exist in more languages than this page.
  locale: textsIn(readingLanguages(request)).language,
  timeZone: null,
  ip: request.ip,
  appId: null,
  inviteCode: values["invite_code"] || null,
  dateOfBirth: values["date_of_birth"] ?? null,
  shownTerms: values["terms"],
});

/** Shows the form after an error, with all that was entered except the password. */
const afterError = (error: unknown, reply: FastifyReply, values: Values): Shown => {
  const { t } = textsOf(reply.request);
  const faults = faultsOf(t, error);
  if (faults) return { values, faults, status: 422 };
  if (!(error instanceof Forbidden || error instanceof TooManyRequests)) throw error;
  reply.headers(headersOf(error));
  return { values, faults: {}, status: statusOf(error), problem: formErrorText(t, error) };
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
    const form = formOf(values, request);
    const userId = await signUp(app, form, async (_tx, created) => created.userId);
    rememberSignUp(app, reply, userId);
    return goTo(reply, sentPath(userId));
  } catch (error) {
    const shown = { ...afterError(error, reply, values), invite };
    return signUpForm(app, request, reply, mode, shown);
  }
};

const sendOver = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("sign_up.invite_over"),
    status: 401,
    body: html`<p>${t("sign_up.invite_over_text")}</p>`,
    below: signInLink(t),
  });
};

type ByCode = FastifyRequest<{ Params: { code: string } }>;

/** Apps request JSON, and sign up by the API with the code. */
const showInvite = async (app: App, request: ByCode, reply: FastifyReply) => {
  await countAttempt(app, INVITES_PER_ADDRESS, addressKey(request.ip));
  reply.header("vary", "Accept");
  const invite = await findInvite(app, request.params.code);
  if (/\bjson\b/i.test(request.headers.accept ?? "")) {
    reply.header("cache-control", "private, no-store").type("application/json; charset=utf-8");
    if (!invite) {
      return reply
        .code(401)
        .send(JSON.stringify({ error: textsIn("en").t("sign_up.invite_over") }));
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
