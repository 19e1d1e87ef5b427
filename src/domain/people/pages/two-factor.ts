// The page that turns two-factor authentication on and off, and makes recovery codes.

import type { App } from "../../../platform/app.ts";
import type { Server } from "../../../platform/http/server.ts";
import { html, raw } from "../../../platform/text/html.ts";
import type { Html } from "../../../platform/text/html.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { CODE_GUESSES, countGuess } from "../guesses.ts";
import { recoveryCodesLeft, renewRecoveryCodes } from "../factors/recovery.ts";
import { confirmTotp, removeTotp, startTotp, startedTotp } from "../factors/totp.ts";
import type { Started } from "../factors/totp.ts";
import { ensureBrowser, formField, knownBrowser } from "./cookies.ts";
import {
  PASSWORD_WRONG,
  askedAsMember,
  doneNote,
  hasPassword,
  noteOf,
  passwordField,
  sendSettings,
} from "./member.ts";
import type { Asked } from "./member.ts";
import { goTo, inputField } from "./parts.ts";

const PATH = "/settings/two_factor";
const TITLE = "Two-factor authentication";
const DONE = { off: "Two-factor authentication is now off." };

const sendOff = ({ app, request, reply }: Asked, fault?: string) =>
  sendSettings(reply, {
    title: TITLE,
    status: fault ? 422 : 200,
    body: html`${noteOf(doneNote(request, DONE))}
      <p>
        Protect your account with a second step: after your password, signing in also requires a
        code from an authenticator app on your phone.
      </p>
      <form method="post" action="${PATH}/start">
        ${formField(app, request, reply)} ${passwordField(fault)}
        <button class="button">Set up</button>
      </form>`,
  });

const sendOn = async ({ app, request, reply, who }: Asked, fault?: string) => {
  const left = await recoveryCodesLeft(app, who.userId);
  return sendSettings(reply, {
    title: TITLE,
    status: fault ? 422 : 200,
    body: html`<p>
        Two-factor authentication is on. You have ${left} recovery ${left === 1 ? "code" : "codes"}
        left.
      </p>
      <form method="post" action="${PATH}/change">
        ${formField(app, request, reply)} ${passwordField(fault)}
        <div class="actions">
          <button class="button" name="act" value="codes">New recovery codes</button>
          <button class="button plain" name="act" value="off">Turn off</button>
        </div>
      </form>`,
  });
};

const qrCode = async (text: string): Promise<Html> => {
  const { renderSVG } = await import("uqr");
  return raw(renderSVG(text, { ecc: "M", border: 1, pixelSize: 4 }));
};

/** In groups of four, for typing. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ");

const sendStart = async (
  { app, request, reply, who }: Asked,
  { secret, uri }: Started,
  fault?: string,
) => {
  const drawing = await qrCode(uri);
  // Somebody who finds the session open later must not see the secret again.
  const browser = ensureBrowser(app, request, reply);
  const { ticket } = makeChallenge(app, `totp:${who.userId}`, browser);
  return sendSettings(reply, {
    title: "Set up two-factor authentication",
    status: fault ? 422 : 200,
    body: html`<p>
        Scan this QR code with your authenticator app, or <a href="${uri}">open the app</a> on this
        device.
      </p>
      <div class="qr" role="img" aria-label="QR code for the authenticator app">${drawing}</div>
      <p>If you can’t scan it, enter this key as a time-based code:</p>
      <p><code class="secret grouped">${grouped(secret)}</code></p>
      <form method="post" action="${PATH}/confirm">
        ${formField(app, request, reply)}
        <input type="hidden" name="ticket" value="${ticket}" />
        ${inputField({
          name: "code",
          label: "Code from your authenticator app",
          autocomplete: "one-time-code",
          inputmode: "numeric",
          maxlength: 10,
          fault,
        })}
        <button class="button">Turn on</button>
      </form>`,
  });
};

const sendCodes = ({ reply }: Asked, codes: string[], first: boolean) =>
  sendSettings(reply, {
    title: "Your recovery codes",
    body: html`${first && noteOf({ text: "Two-factor authentication is now on.", kind: "good" })}
      <p>
        If you lose your authenticator app, you can sign in with one of these codes instead. Each
        works once. Save them in a safe place: they won’t be shown again.
      </p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p><a class="button" href="${PATH}">I have saved them</a></p>`,
  });

const show = (asked: Asked) => (asked.who.twoFactor ? sendOn(asked) : sendOff(asked));

const start = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  if (!(await hasPassword(app, request, who))) return sendOff(asked, PASSWORD_WRONG);
  const started = await startTotp(app, who.userId, who.username);
  return started ? sendStart(asked, started) : goTo(reply, PATH);
};

const confirm = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  const { ip } = request;
  const guesser = { of: who, ip, knownBrowser: knownBrowser(app, request, who) };
  await countGuess(app, CODE_GUESSES, guesser);
  const { ticket = "", code = "" } = readTexts(request.body);
  const browser = ensureBrowser(app, request, reply);
  const proved = await takeChallenge(app, `totp:${who.userId}`, browser, ticket);
  const started = proved && (await startedTotp(app, who.userId, who.username));
  if (!started) return goTo(reply, PATH);
  const codes = await confirmTotp(app, who.userId, code);
  if (codes) return sendCodes(asked, codes, true);
  return sendStart(asked, started, "Incorrect code. Check that the clock of your phone is right.");
};

const change = async (asked: Asked) => {
  const { app, request, reply, who } = asked;
  if (!who.twoFactor) return goTo(reply, PATH);
  if (!(await hasPassword(app, request, who))) return sendOn(asked, PASSWORD_WRONG);
  const { act } = readTexts(request.body);
  if (act === "codes") return sendCodes(asked, await renewRecoveryCodes(app, who.userId), false);
  if (act !== "off") return goTo(reply, PATH);
  await removeTotp(app, who.userId);
  return goTo(reply, `${PATH}?done=off`);
};

export const twoFactorPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(
    PATH,
    page(async (asked) => show(asked)),
  );
  server.post(`${PATH}/start`, page(start));
  server.post(`${PATH}/confirm`, page(confirm));
  server.post(`${PATH}/change`, page(change));
};
