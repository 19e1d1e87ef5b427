// The page on which a person authorizes an app (RFC 6749, 4.1.1).

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { Forbidden, NotFound } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { says, sentence } from "../../../platform/text/texts.ts";
import type { Say, Texts } from "../../../platform/text/texts.ts";
import { grantCode, isCodeOf, readAuthorization } from "../../oauth/authorization.ts";
import type { Authorization } from "../../oauth/authorization.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { isOutOfBand, withParameters } from "../../oauth/redirect-uris.ts";
import { describeScopes } from "../../oauth/scopes.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkForm, formField, visitor } from "./cookies.ts";
import { nameOf } from "./name.ts";
import { goTo, notice, sendCard } from "./parts.ts";
import { sendStanding } from "./standing.ts";
import { textsOf } from "./texts.ts";

/** The parameters that the form carries from the request to the decision. */
const CARRIED = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "lang",
] as const;

type Given = Partial<Record<string, string>>;

const carried = (given: Given): [string, string][] =>
  CARRIED.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));

const isTrue = (text: string | undefined): boolean =>
  text !== undefined && !["", "0", "f", "false", "off"].includes(text.toLowerCase());

const signInPath = (given: Given, force: boolean): string => {
  const returnTo = `/oauth/authorize?${new URLSearchParams(carried(given))}`;
  return `/auth/sign_in?${new URLSearchParams({ ...(force && { force: "1" }), return_to: returnTo })}`;
};

const permissions = (texts: Texts, scopes: string[]): Html =>
  html`<ul class="permissions">
    ${describeScopes(texts, scopes).map(
      ({ title, text }) =>
        html`<li><strong>${title}</strong>${text && html`<span>${text}</span>`}</li>`,
    )}
  </ul>`;

const destination = (t: Say, uri: string): string => {
  if (isOutOfBand(uri)) return t("consent.code_next");
  const host = /^https?:/i.test(uri) && URL.canParse(uri) ? new URL(uri).host : null;
  return host ? t("consent.leads_to", { host }) : t("consent.leads_back");
};

const account = async (app: App, who: SignedIn): Promise<Html> =>
  html`<div class="who">
    <div>
      <strong>${await nameOf(app, who)}</strong>
      <span>@${who.username}@${app.config.site.localDomain}</span>
    </div>
  </div>`;

const website = (text: string | null): Html | null =>
  text
    ? html` (<a href="${text}" rel="noopener noreferrer nofollow">${new URL(text).host}</a>)`
    : null;

const sendConsent = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: { wanted: Authorization; given: Given; who: SignedIn },
) => {
  const { wanted, given, who } = asked;
  const texts = textsOf(request);
  const { t } = texts;
  const admin = wanted.scopes.some((scope) => scope.startsWith("admin:"));
  const hidden = carried(given).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return sendCard(app, reply, {
    title: t("consent.title", { app: wanted.app.name }),
    media: "any",
    body: html`${await account(app, who)}
      <p>
        ${sentence(t, "consent.asks", { app: html`<strong>${wanted.app.name}</strong>${website(wanted.app.website)}` })}
      </p>
      ${admin && notice(t("consent.admin"), "bad")} ${permissions(texts, wanted.scopes)}
      <form class="decision" method="post" action="/oauth/authorize">
        ${formField(app, request, reply)} ${hidden}
        <div class="actions">
          <button class="button" name="decision" value="allow">${t("consent.allow")}</button>
          <button class="button plain" name="decision" value="deny">${t("consent.deny")}</button>
        </div>
      </form>`,
    below: html`${destination(t, wanted.redirectUri)}<br />${t("consent.not_you")}
      <a href="${signInPath(given, true)}">${t("consent.other_account")}</a>`,
  });
};

const showConsent = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const given = readTexts(request.query);
  const wanted = await readAuthorization(app, given);
  const who = await visitor(app, request);
  const force = isTrue(given["force_login"]);
  if (!who || force) return goTo(reply, signInPath(given, force));
  if (who.standing !== "active") return sendStanding(app, request, reply, who);
  return sendConsent(app, request, reply, { wanted, given, who });
};

const allow = async (app: App, reply: FastifyReply, wanted: Authorization, who: SignedIn) => {
  const code = await grantCode(app, wanted, who.userId);
  const target = isOutOfBand(wanted.redirectUri) ? "/oauth/authorize/native" : wanted.redirectUri;
  return goTo(reply, withParameters(target, { code, state: wanted.state }));
};

const deny = (reply: FastifyReply, wanted: Authorization) => {
  const target = isOutOfBand(wanted.redirectUri) ? "/oauth/authorize/native" : wanted.redirectUri;
  const error_description = "The user denied the request.";
  return goTo(
    reply,
    withParameters(target, { error: "access_denied", error_description, state: wanted.state }),
  );
};

/** Handles the form; a DELETE means deny. */
const takeDecision = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  forced?: "deny",
) => {
  const given = readTexts(request.body);
  const who = await visitor(app, request);
  if (!who) return goTo(reply, signInPath(given, false));
  checkForm(app, request);
  const wanted = await readAuthorization(app, given);
  const decision = forced ?? given["decision"];
  if (decision === "deny") return deny(reply, wanted);
  if (decision !== "allow") throw new Forbidden(says("consent.choose"));
  if (who.standing !== "active") return sendStanding(app, request, reply, who);
  return allow(app, reply, wanted, who);
};

const showCode = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  const { code, error } = readTexts(request.query);
  const who = await visitor(app, request);
  if (!who) return goTo(reply, "/auth/sign_in");
  const { t } = textsOf(request);
  if (error === "access_denied") {
    return sendCard(app, reply, {
      title: t("consent.denied"),
      body: html`<p>${t("consent.denied_text")}</p>`,
    });
  }
  if (!code || !(await isCodeOf(app, code, who.userId)))
    throw new NotFound(says("consent.code_invalid"));
  return sendCard(app, reply, {
    title: t("consent.code"),
    body: html`<p>${t("consent.code_text")}</p>
      <p><code class="secret">${code}</code></p>`,
  });
};

export const consentPages = (server: Server, app: App): void => {
  server.get("/oauth/authorize", (request, reply) => showConsent(app, request, reply));
  server.post("/oauth/authorize", (request, reply) => takeDecision(app, request, reply));
  server.delete("/oauth/authorize", (request, reply) => takeDecision(app, request, reply, "deny"));
  server.get("/oauth/authorize/native", (request, reply) => showCode(app, request, reply));
};
