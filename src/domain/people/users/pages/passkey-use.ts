// Signs in with a passkey: declares the form, which a script fills, and handles it.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { findPerson, mayUseRights } from "../sign-in.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { checkPasskey, requestOptions } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { browserOf, checkForm, clearStep, ensureBrowser, signIn } from "./cookies.ts";
import { goOn } from "./member.ts";
import { ownPath, sendCard } from "./components.ts";
import { sendStanding } from "./standing.ts";
import { textsOf } from "./texts.ts";

const PER_ADDRESS: Limit = { name: "passkey:ip", by: "address", count: 25, seconds: 300 };

type UseOptions = { returnTo: string | null; of?: PasskeyRow[] };

/** Declares the form; `of` are the passkeys of who has proved the password. */
export const passkeyUse = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { returnTo, of }: UseOptions,
): Part => {
  const browser = ensureBrowser(app, request, reply);
  const { challenge, ticket } = makeChallenge(app, "sign-in", browser);
  return {
    passkey: "get",
    options: JSON.stringify(requestOptions(app, challenge, of)),
    form: {
      action: "/auth/sign_in/passkey",
      hidden: { ticket, return_to: returnTo },
      submit: "sign_in.passkey",
      kind: "plain",
    },
  };
};

const sendRefused = (app: App, reply: FastifyReply) => {
  const { t } = textsOf(reply.request);
  return sendCard(app, reply, {
    title: t("sign_in.passkey_refused"),
    status: 422,
    parts: [
      { text: { say: "sign_in.passkey_refused_text" } },
      { ways: [["/auth/sign_in", "sign_in.again"]] },
    ],
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
