// Signs in with a passkey: draws the form, which a script fills, and handles it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { findPerson, mayUseRights } from "../sign-in.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { checkPasskey, requestOptions } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { browserOf, checkForm, clearStep, ensureBrowser, formField, signIn } from "./cookies.ts";
import { goOn } from "./member.ts";
import { ownPath, sendCard } from "./components.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { sendStanding } from "./standing.ts";
import { textsOf } from "./texts.ts";

const PER_ADDRESS: Limit = { name: "passkey:ip", by: "address", count: 25, seconds: 300 };

type UseOptions = { returnTo: string | null; of?: PasskeyRow[] };

/** Draws the form and its script; it is hidden where the browser does not support passkeys. */
export const passkeyUse = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { returnTo, of }: UseOptions,
): { body: Html; script: string } => {
  const browser = ensureBrowser(app, request, reply);
  const { challenge, ticket } = makeChallenge(app, "sign-in", browser);
  const options = JSON.stringify(requestOptions(app, challenge, of));
  const { t } = textsOf(request);
  const body = html`<div data-with-passkeys hidden>
    <p class="or">${t("sign_in.or")}</p>
    <form
      method="post"
      action="/auth/sign_in/passkey"
      data-passkey="get"
      data-options="${options}"
      data-none-used="${t("passkey.none_used")}"
    >
      ${formField(app, request, reply)}
      <input type="hidden" name="ticket" value="${ticket}" />
      <input type="hidden" name="credential" value="" />
      ${returnTo && html`<input type="hidden" name="return_to" value="${returnTo}" />`}
      <button class="button plain">${t("sign_in.passkey")}</button>
      <p class="fault" role="alert" data-fault hidden></p>
    </form>
  </div>`;
  return { body, script: PASSKEY_SCRIPT };
};

const sendRefused = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("sign_in.passkey_refused"),
    status: 422,
    body: html`<p>${t("sign_in.passkey_refused_text")}</p>
      <p><a class="button" href="/auth/sign_in">${t("sign_in.again")}</a></p>`,
  });
};

const takePasskey = async (app: App, request: FastifyRequest, reply: FastifyReply) => {
  checkForm(app, request);
  await countAttempt(app, PER_ADDRESS, addressKey(request.ip));
  const { ticket = "", credential = "", return_to } = readTexts(request.body);
  const challenge = await takeChallenge(app, "sign-in", browserOf(app, request) ?? "", ticket);
  const userId = challenge && (await checkPasskey(app, credential, challenge));
  const who = userId ? await findPerson(app, userId) : null;
  if (!who) return sendRefused(app, reply);
  if (!mayUseRights(who)) return sendStanding(app, request, reply, who);
  clearStep(app, reply);
  await signIn(app, request, reply, who);
  return goOn(app, request, reply, { who, returnTo: ownPath(app, return_to) });
};

export const passkeyUsePages = (server: Server, app: App): void => {
  server.post("/auth/sign_in/passkey", (request, reply) => takePasskey(app, request, reply));
};
