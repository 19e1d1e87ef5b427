// Handles the step between password and code: a token in a cookie shows for some minutes that the password was right.
// The page requires a code of the app, a recovery code, or a passkey.

import type { App } from "../../../../platform/app.ts";
import { checkFilled, faultOf } from "../../../../platform/errors.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { says } from "../../../../platform/text/texts.ts";
import { readTexts } from "../../oauth/parameters.ts";
import type { Began } from "../../sso/sessions.ts";
import { findPerson, mayUseRights } from "../sign-in.ts";
import type { SignedIn } from "../sign-in.ts";
import { checkCode } from "../factors/check-code.ts";
import { listPasskeys } from "../factors/passkeys.ts";
import { checkForm, clearStep, knownBrowser, signIn, stepToken } from "./cookies.ts";
import { stepKey } from "./let-in.ts";
import type { Step } from "./let-in.ts";
import { goOn } from "./member.ts";
import { formOf } from "./fields.ts";
import { asAnybody, goTo, ownPath, refusable, sendCard, signInPath } from "./components.ts";
import type { CardContext } from "./components.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { passkeyUse } from "./passkey-use.ts";
import { sendStanding } from "./standing.ts";

type Waiting = { token: string; who: SignedIn; returnTo: string | null; began: Began | null };

/** Returns the person who has to enter a code in this browser; null also when the password changed since. */
const waiting = async ({ app, request }: CardContext): Promise<Waiting | null> => {
  const token = stepToken(app, request);
  const stored = token ? await app.kv.get(stepKey(token)) : null;
  if (!token || !stored) return null;
  const step = JSON.parse(stored) as Step;
  const who = await findPerson(app, step.userId);
  if (who?.passwordMark !== step.passwordMark) return null;
  const { began = null } = step;
  return { token, who, returnTo: ownPath(app, step.returnTo ?? undefined), began };
};

const CODE = {
  name: "code",
  label: "step.code",
  hint: "step.hint",
  autocomplete: "one-time-code",
  max: 20,
  autofocus: true,
} as const;

const sendForm = async (context: CardContext, { who, returnTo }: Waiting) => {
  const { app } = context;
  const passkeys = await listPasskeys(app, who.userId);
  const of = passkeys.length > 0 && passkeys;
  return sendCard(context, {
    title: "step.title",
    ...(of && { script: PASSKEY_SCRIPT }),
    parts: [
      formOf("/auth/sign_in/code", "sign_in.title", [CODE]),
      of && passkeyUse(context, { returnTo, of }),
      { below: [[signInPath(returnTo, "force"), "sign_in.back"]] },
    ],
  });
};

const showStep = async (context: CardContext) => {
  const { reply } = context;
  const step = await waiting(context);
  return step ? sendForm(context, step) : goTo(reply, "/auth/sign_in");
};

const takeCode = async (context: CardContext, { who, token, returnTo, began }: Waiting) => {
  const { app, request, reply } = context;
  const code = (readTexts(request.body)["code"] ?? "").slice(0, 40);
  const attempt = { userId: who.userId, code, ip: request.ip };
  const knows = knownBrowser(app, request, who);
  // Codes may have been switched off on another device since.
  if (who.twoFactor) checkFilled({ code: code.trim() });
  if (who.twoFactor && !(await checkCode(app, { ...attempt, knownBrowser: knows })))
    throw faultOf("code", says("step.wrong"));
  await app.kv.delete(stepKey(token));
  clearStep(app, reply);
  await signIn(context, who, began);
  return goOn(context, { who, returnTo });
};

const takeStep = async (context: CardContext) => {
  const { app, request, reply } = context;
  checkForm(app, request);
  const step = await waiting(context);
  if (!step) return goTo(reply, "/auth/sign_in");
  if (!mayUseRights(step.who)) return sendStanding(context, step.who);
  const take = (now: CardContext) => takeCode(now, step);
  return refusable(take, (again) => sendForm(again, step))(context);
};

export const secondStepPages = (server: Server, app: App): void => {
  const page = asAnybody(app);
  server.get("/auth/sign_in/code", page(showStep));
  server.post("/auth/sign_in/code", page(takeStep));
};
