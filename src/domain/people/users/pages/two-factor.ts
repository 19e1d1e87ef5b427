// Serves the page that turns two-factor authentication on and off, and makes recovery codes.

import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { checkFilled, faultOf } from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { listSources } from "../../sso/directory.ts";
import { identitiesOf } from "../../sso/ways.ts";
import { mayUsePassword } from "../sign-in.ts";
import { CODE_GUESSES, countGuess } from "../guesses.ts";
import { recoveryCodesLeft, renewRecoveryCodes } from "../factors/recovery.ts";
import { confirmTotp, removeTotp, startTotp, startedTotp } from "../factors/totp.ts";
import type { Started } from "../factors/totp.ts";
import { ensureBrowser, knownBrowser } from "./cookies.ts";
import { formOf } from "./fields.ts";
import { askedAsMember, checkPassword, ownPassword } from "./member.ts";
import type { PageContext } from "./member.ts";
import { goTo, refusable, sendServed } from "./components.ts";

const PATH = "/settings/two_factor";
const DONE = { off: "two_factor.done_off" } as const;

/** Says where no code is asked for: after a sign-in that stands for it. */
const strongParts = async ({ app, who }: PageContext): Promise<Part[]> => {
  const issuers = (await identitiesOf(app, who.userId)).map(({ issuer }) => issuer);
  return (await listSources(app))
    .filter(({ settings, issuer }) => settings.isStrong && issuers.includes(issuer))
    .map(({ name }) => ({ text: { say: "two_factor.not_with", values: { name } } }));
};

const sendOff = async (context: PageContext) => {
  const isByPassword = mayUsePassword(context.app, context.who);
  return sendServed(context, {
    title: "step.title",
    done: DONE,
    parts: [
      { text: { say: isByPassword ? "two_factor.about" : "two_factor.about_provider" } },
      ...(await strongParts(context)),
      formOf(`${PATH}/start`, "two_factor.set_up", [ownPassword(context)]),
    ],
  });
};

const sendOn = async (context: PageContext) => {
  const { app, who } = context;
  const count = await recoveryCodesLeft(app, who.userId);
  const submit = [
    { name: "act", value: "codes", label: "two_factor.new_codes" },
    { name: "act", value: "off", label: "two_factor.turn_off", kind: "plain" },
  ] as const;
  return sendServed(context, {
    title: "step.title",
    parts: [
      { text: { say: "two_factor.left", values: { count } } },
      formOf(`${PATH}/change`, submit, [ownPassword(context)]),
    ],
  });
};

const qrCode = async (text: string): Promise<string> => {
  const { renderSVG } = await import("uqr");
  return renderSVG(text, { ecc: "M", border: 1, pixelSize: 4 });
};

/** Splits the secret into groups of four, for typing. */
const grouped = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, "$1 ");

const CODE = {
  name: "code",
  label: "two_factor.code",
  autocomplete: "one-time-code",
  inputmode: "numeric",
  max: 10,
} as const;

const sendStart = async (context: PageContext, { secret, uri }: Started) => {
  const { app, request, reply, who } = context;
  const drawing = await qrCode(uri);
  // Somebody who finds the session open later must not see the secret again.
  const browser = ensureBrowser(app, request, reply);
  const { ticket } = makeChallenge(app, `totp:${who.userId}`, browser);
  const open = { link: uri, text: { say: "two_factor.open" } } as const;
  return sendServed(context, {
    title: "two_factor.start",
    parts: [
      { text: { say: "two_factor.scan", with: { open } } },
      { drawing, label: "two_factor.qr" },
      { text: { say: "two_factor.type" } },
      { secret: grouped(secret) },
      formOf(`${PATH}/confirm`, "two_factor.turn_on", [CODE], { hidden: { ticket } }),
    ],
  });
};

const sendCodes = (context: PageContext, codes: string[], isFirst: boolean) =>
  sendServed(context, {
    title: "two_factor.codes",
    parts: [
      isFirst && { notice: { say: "two_factor.done_on" }, kind: "good" },
      { text: { say: "two_factor.codes_text" } },
      { items: codes.map((code) => ({ code })), kind: "codes" },
      { ways: [[PATH, "two_factor.saved"]] },
    ],
  });

const show = async (context: PageContext) =>
  context.who.twoFactor ? sendOn(context) : sendOff(context);

const start = async (context: PageContext) => {
  const { app, reply, who } = context;
  await checkPassword(context);
  const started = await startTotp(app, who.userId, who.username);
  return started ? sendStart(context, started) : goTo(reply, PATH);
};

const takeCode = async (context: PageContext) => {
  const { app, request, who } = context;
  const { ip } = request;
  const { code = "" } = readTexts(request.body);
  checkFilled({ code: code.trim() });
  const guesser = { of: who, ip, knownBrowser: knownBrowser(app, request, who) };
  await countGuess(app, CODE_GUESSES, guesser);
  const codes = await confirmTotp(app, who.userId, code);
  if (codes) return sendCodes(context, codes, true);
  throw faultOf("code", says("two_factor.wrong"));
};

const confirm = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  const { ticket = "" } = readTexts(request.body);
  const browser = ensureBrowser(app, request, reply);
  const proved = await takeChallenge(app, `totp:${who.userId}`, browser, ticket);
  const started = proved && (await startedTotp(app, who.userId, who.username));
  if (!started) return goTo(reply, PATH);
  return refusable(takeCode, (again: PageContext) => sendStart(again, started))(context);
};

const change = async (context: PageContext) => {
  const { app, request, reply, who } = context;
  if (!who.twoFactor) return goTo(reply, PATH);
  await checkPassword(context);
  const { act } = readTexts(request.body);
  if (act === "codes") return sendCodes(context, await renewRecoveryCodes(app, who.userId), false);
  if (act !== "off") return goTo(reply, PATH);
  await removeTotp(app, who.userId);
  return goTo(reply, `${PATH}?done=off`);
};

export const twoFactorPages = (server: Server, app: App): void => {
  const page = askedAsMember(app);
  server.get(PATH, page(show));
  server.post(`${PATH}/start`, page(refusable(start, sendOff)));
  server.post(`${PATH}/confirm`, page(confirm));
  server.post(`${PATH}/change`, page(refusable(change, sendOn)));
};
