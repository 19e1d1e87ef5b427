// Serves the page that turns two-factor authentication on and off, and makes recovery codes.

import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { html, raw } from "../../../../platform/text/html.ts";
import type { Html } from "../../../../platform/text/html.ts";
import { sentence } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { CODE_GUESSES, countGuess } from "../guesses.ts";
import { recoveryCodesLeft, renewRecoveryCodes } from "../factors/recovery.ts";
import { confirmTotp, removeTotp, startTotp, startedTotp } from "../factors/totp.ts";
import type { Started } from "../factors/totp.ts";
import { ensureBrowser, formField, knownBrowser } from "./cookies.ts";
import { askedAsMember, doneNote, hasPassword, passwordField, sendSettings } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, inputField, notice } from "./components.ts";

const PATH = "/settings/two_factor";
const DONE = { off: "two_factor.done_off" } as const;

const sendOff = ({ app, request, reply, t }: PageContext, fault?: string) =>
  sendSettings(reply, {
    title: t("step.title"),
    status: fault ? 422 : 200,
    body: html`${doneNote(request, DONE)}
      <p>${t("two_factor.about")}</p>
      <form method="post" action="${PATH}/start">
        ${formField(app, request, reply)} ${passwordField(t, fault)}
        <button class="button">${t("two_factor.set_up")}</button>
      </form>`,
  });

const sendOn = async ({ app, request, reply, who, t }: PageContext, fault?: string) => {
  const left = await recoveryCodesLeft(app, who.userId);
  return sendSettings(reply, {
    title: t("step.title"),
    status: fault ? 422 : 200,
    body: html`<p>${t("two_factor.left", { count: left })}</p>
      <form method="post" action="${PATH}/change">
        ${formField(app, request, reply)} ${passwordField(t, fault)}
        <div class="actions">
          <button class="button" name="act" value="codes">${t("two_factor.new_codes")}</button>
          <button class="button plain" name="act" value="off">${t("two_factor.turn_off")}</button>
        </div>
      </form>`,
  });
};

const qrCode = async (text: string): Promise<Html> => {
  const { renderSVG } = await import("uqr");
  return raw(renderSVG(text, { ecc: "M", border: 1, pixelSize: 4 }));
};

/** Splits the secret into groups of four, for typing. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ");

const sendStart = async (
  { app, request, reply, who, t }: PageContext,
  { secret, uri }: Started,
  fault?: string,
) => {
  const drawing = await qrCode(uri);
  // Somebody who finds the session open later must not see the secret again.
  const browser = ensureBrowser(app, request, reply);
  const { ticket } = makeChallenge(app, `totp:${who.userId}`, browser);
  return sendSettings(reply, {
    title: t("two_factor.start"),
    status: fault ? 422 : 200,
    body: html`<p>
        ${sentence(t, "two_factor.scan", { open: html`<a href="${uri}">${t("two_factor.open")}</a>` })}
      </p>
      <div class="qr" role="img" aria-label="${t("two_factor.qr")}">${drawing}</div>
      <p>${t("two_factor.type")}</p>
      <p><code class="secret grouped">${grouped(secret)}</code></p>
      <form method="post" action="${PATH}/confirm">
        ${formField(app, request, reply)}
        <input type="hidden" name="ticket" value="${ticket}" />
        ${inputField({
          name: "code",
          label: t("two_factor.code"),
          autocomplete: "one-time-code",
          inputmode: "numeric",
          maxlength: 10,
          fault,
        })}
        <button class="button">${t("two_factor.turn_on")}</button>
      </form>`,
  });
};

const sendCodes = ({ reply, t }: PageContext, codes: string[], first: boolean) =>
  sendSettings(reply, {
    title: t("two_factor.codes"),
    body: html`${first && notice(t("two_factor.done_on"), "good")}
      <p>${t("two_factor.codes_text")}</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button" href="${PATH}">${t("two_factor.saved")}</a></p>`,
  });

const show = (context: PageContext) => (context.who.twoFactor ? sendOn(context) : sendOff(context));

const start = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  if (!(await hasPassword(app, request, who))) return sendOff(context, t("field.password_wrong"));
  const started = await startTotp(app, who.userId, who.username);
  return started ? sendStart(context, started) : goTo(reply, PATH);
};

const confirm = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  const { ip } = request;
  const guesser = { of: who, ip, knownBrowser: knownBrowser(app, request, who) };
  await countGuess(app, CODE_GUESSES, guesser);
  const { ticket = "", code = "" } = readTexts(request.body);
  const browser = ensureBrowser(app, request, reply);
  const proved = await takeChallenge(app, `totp:${who.userId}`, browser, ticket);
  const started = proved && (await startedTotp(app, who.userId, who.username));
  if (!started) return goTo(reply, PATH);
  const codes = await confirmTotp(app, who.userId, code);
  if (codes) return sendCodes(context, codes, true);
  return sendStart(context, started, t("two_factor.wrong"));
};

const change = async (context: PageContext) => {
  const { app, request, reply, who, t } = context;
  if (!who.twoFactor) return goTo(reply, PATH);
  if (!(await hasPassword(app, request, who))) return sendOn(context, t("field.password_wrong"));
  const { act } = readTexts(request.body);
  if (act === "codes") return sendCodes(context, await renewRecoveryCodes(app, who.userId), false);
  if (act !== "off") return goTo(reply, PATH);
  await removeTotp(app, who.userId);
  return goTo(reply, `${PATH}?done=off`);
};

export const twoFactorPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page(async (context) => show(context)),
  );
  server.post(`${PATH}/start`, page(start));
  server.post(`${PATH}/confirm`, page(confirm));
  server.post(`${PATH}/change`, page(change));
};
