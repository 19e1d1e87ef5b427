// Signs in with a passkey: declares the form, which a script fills, and handles it.

import type { Part } from "../../../../../web/src/served/part-pages.ts";
import type { App } from "../../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../../platform/http/rate-limit.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { readTexts } from "../../oauth/parameters.ts";
import { findPerson } from "../sign-in.ts";
import { makeChallenge, takeChallenge } from "../factors/challenge.ts";
import { checkPasskey, requestOptions } from "../factors/passkeys.ts";
import type { PasskeyRow } from "../factors/queries.ts";
import { browserOf, checkForm, ensureBrowser } from "./cookies.ts";
import { letIn } from "./let-in.ts";
import { asAnybody, ownPath, refusable, sendCard, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";

const PER_ADDRESS: Limit = { name: "passkey:ip", by: "address", count: 25, seconds: 300 };

type UseOptions = { returnTo: string | null; of?: PasskeyRow[] };

/** Declares the form; `of` are the passkeys of who has proved the password. */
export const passkeyUse = (
  { app, request, reply }: CardContext,
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

const sendRefused = (context: CardContext) => {
  const { app, request } = context;
  const returnTo = ownPath(app, readTexts(request.body)["return_to"]);
  return sendCard(context, {
    title: "sign_in.passkey_refused",
    status: 422,
    parts: [
      { text: { say: "sign_in.passkey_refused_text" } },
      { ways: [[signInPath(returnTo), "sign_in.again"]] },
    ],
  });
};

const takePasskey = async (context: CardContext) => {
  const { app, request } = context;
  checkForm(app, request);
  await countAttempt(app, PER_ADDRESS, addressKey(request.ip));
  const { ticket = "", credential = "", return_to } = readTexts(request.body);
  const challenge = await takeChallenge(app, "sign-in", browserOf(app, request) ?? "", ticket);
  const userId = challenge && (await checkPasskey(app, credential, challenge));
  const who = userId ? await findPerson(app, userId) : null;
  if (!who || (app.config.sso.only && !who.isOwner)) return sendRefused(context);
  // A passkey verifies the person, so that no code is asked for.
  return letIn(context, who, { returnTo: ownPath(app, return_to), isStrong: true });
};

export const passkeyUsePages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.post("/auth/sign_in/passkey", page(refusable(takePasskey, sendRefused)));
};
